package dev.joblock.batch;

import dev.joblock.testing.Logs;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whole applications with {@code <batch:job>}, the import and a real Redis; nodes share a job repository and their work. */
abstract class Cluster {
    /** So long tests wait for what must come; far more than it takes. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    final List<Host.Node> nodes = new ArrayList<>();
    final Work work = new Work();
    final Logs logs = Logs.of(BatchGuard.class);
    Database database = Database.h2();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final String prefix = UUID.randomUUID() + ":";

    /** A job repository that nothing stands in yet. */
    abstract Database database();

    @BeforeEach
    void emptyDatabase() {
        database = database();
    }

    @AfterEach
    void close() {
        work.letGo(1000);
        nodes.forEach(Host.Node::close);
        threads.shutdownNow();
        logs.close();
    }

    Host host() {
        return Host.on(database).work(work).property("joblock.batch.jobs", "invoice");
    }

    Host.Node start(String id, Host host) {
        Host.Node node = host.beans(Host.IMPORT)
                .property("joblock.node-id", id)
                .property("joblock.prefix", prefix)
                .property("joblock.ask-budget", "20s")
                .property("joblock.redis.host", redis.host())
                .property("joblock.redis.port", redis.port())
                .start();
        nodes.add(node);
        return node;
    }

    /** Does the same at once on each of the nodes, of which one may be there more than once; what each throws. */
    List<Future<@Nullable Throwable>> all(List<Host.Node> where, Action action) {
        CyclicBarrier barrier = new CyclicBarrier(where.size());
        List<Future<@Nullable Throwable>> all = new ArrayList<>();
        for (Host.Node node : where) {
            Callable<@Nullable Throwable> launch = () -> {
                barrier.await(60, TimeUnit.SECONDS);
                return quietly(() -> action.on(node));
            };
            all.add(threads.submit(launch));
        }
        return all;
    }

    /** What a call throws, or null. */
    static @Nullable Throwable quietly(Batch.Call call) {
        try {
            call.run();
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    interface Action {
        void on(Host.Node node) throws Throwable;
    }
}
