package dev.joblock.redis;

import dev.joblock.testing.RespConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.jspecify.annotations.Nullable;

/**
 * Nodes with a hand-written lock as ORIGINS describes it, in a process of their own: each is a thread with its connections.
 * A line {@code fire SLOT N} lets N of them fire at once; {@code asked} is answered when each has been denied or is at work,
 * and a line {@code go} ends the work; then {@code done}. What ran says the list {@code runs:SLOT}.
 */
final class OldNodes {
    private static final String FIELD = "ALL#ALL";

    private final String host;
    private final int port;
    private final String key;
    private final String config;

    private OldNodes(String[] args) {
        host = args[0];
        port = Integer.parseInt(args[1]);
        key = args[3];
        config = args[4];
    }

    /** Arguments: host, port, O2 or O4, key, key of the interval (O4) or time-out in ms (O2), number of nodes. */
    public static void main(String[] args) throws Exception {
        OldNodes old = new OldNodes(args);
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[5]); i++) {
            nodes.add(args[2].equals("O2") ? old.new O2("old" + i) : old.new O4("old" + i));
        }
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            int n = Integer.parseInt(words[2]);
            CyclicBarrier together = new CyclicBarrier(n);
            CountDownLatch asked = new CountDownLatch(n);
            CountDownLatch go = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (Node node : nodes.subList(0, n)) {
                Thread thread = new Thread(() -> node.fire(words[1], together, asked, go));
                thread.start();
                threads.add(thread);
            }
            asked.await();
            System.out.println("asked");
            if (in.readLine() == null) {
                Runtime.getRuntime().halt(1);
            }
            go.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            System.out.println("done");
        }
    }

    private abstract class Node {
        final RespConnection redis;
        final RespConnection other;
        private final String name;

        Node(String name) throws IOException {
            this.name = name;
            this.redis = new RespConnection(host, port);
            this.other = new RespConnection(host, port);
        }

        abstract boolean lock() throws IOException;

        abstract void free() throws IOException;

        void fire(String slot, CyclicBarrier together, CountDownLatch asked, CountDownLatch go) {
            try {
                together.await();
                boolean locked = lock();
                if (locked) {
                    redis.call("RPUSH", "runs:" + slot, name);
                }
                asked.countDown();
                if (locked) {
                    go.await();
                    free();
                }
            } catch (Exception e) {
                System.err.println(name + " failed: " + e);
                Runtime.getRuntime().halt(2);
            }
        }

        final String get(String field) throws IOException {
            return String.valueOf(redis.call("HGET", key, field));
        }
    }

    /** {@code addJobLock}, {@code releaseJobLock}. */
    private final class O2 extends Node {
        O2(String name) throws IOException {
            super(name);
        }

        @Override
        boolean lock() throws IOException {
            if (!Long.valueOf(0).equals(redis.call("HLEN", key))) {
                Object value = redis.call("HGET", key, FIELD);
                long age = value == null ? 0 : System.currentTimeMillis() - Long.parseLong((String) value);
                if (age <= Long.parseLong(config)) {
                    return false;
                }
            }
            redis.call("HSET", key, FIELD, Long.toString(System.currentTimeMillis()));
            return true;
        }

        @Override
        void free() throws IOException {
            redis.call("HDEL", key, FIELD);
        }
    }

    /** {@code seize}. */
    private final class O4 extends Node {
        O4(String name) throws IOException {
            super(name);
        }

        @Override
        boolean lock() throws IOException {
            double interval = Double.parseDouble(String.valueOf(other.call("HGET", config, "intervaltime"))) * 60_000;
            redis.call("WATCH", key);
            String status = get("status");
            String time = get("time");
            long now = now();
            if (!status.equals("false") || now - interval <= Long.parseLong(time) - interval / 60) {
                redis.call("UNWATCH");
                return false;
            }
            redis.call("MULTI");
            redis.call("HSET", key, "status", "true");
            redis.call("HSET", key, "time", Long.toString(now));
            List<@Nullable Object> results = castList(redis.call("EXEC"));
            return results != null && !results.isEmpty();
        }

        @Override
        void free() throws IOException {
            redis.call("HSET", key, "status", "false");
            redis.call("HSET", key, "time", Long.toString(now()));
        }

        private long now() throws IOException {
            List<?> time = Objects.requireNonNull((List<?>) other.call("TIME"));
            return Long.parseLong(String.valueOf(time.get(0))) * 1_000
                    + Long.parseLong(String.valueOf(time.get(1))) / 1_000;
        }

        @SuppressWarnings("unchecked")
        private @Nullable List<@Nullable Object> castList(@Nullable Object reply) {
            return (List<@Nullable Object>) reply;
        }
    }
}
