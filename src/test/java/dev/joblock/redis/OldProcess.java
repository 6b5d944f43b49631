package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.testing.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The process of {@link OldNodes}, turned by hand. */
final class OldProcess implements AutoCloseable {
    private final Process process;
    private final PrintWriter out;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    OldProcess(RedisServer redis, String layout, String key, String config, int nodes) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        process = new ProcessBuilder(
                        java,
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OldNodes.class.getName(),
                        redis.host(),
                        Integer.toString(redis.port()),
                        layout,
                        key,
                        config,
                        Integer.toString(nodes))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        out = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        Thread reader = new Thread(this::read, "old nodes");
        reader.setDaemon(true);
        reader.start();
        await("ready");
    }

    /** Lets some nodes fire a slot at once; each has then been denied or is at work. */
    void fire(String slot, int nodes) {
        ask(slot, nodes);
        await("asked");
    }

    /** As {@link #fire}, without waiting. */
    void ask(String slot, int nodes) {
        out.println("fire " + slot + " " + nodes);
    }

    void awaitAsked() {
        await("asked");
    }

    /** Ends the work of those that got in. */
    void finish() {
        out.println("go");
        await("done");
    }

    void kill() {
        process.destroyForcibly();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        kill();
    }

    private void await(String line) {
        try {
            assertThat(lines.poll(60, TimeUnit.SECONDS)).isEqualTo(line);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void read() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("ended: " + e);
        }
    }
}
