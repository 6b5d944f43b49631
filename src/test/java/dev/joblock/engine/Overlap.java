package dev.joblock.engine;

import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.LockOutcome;
import dev.joblock.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Nodes that run one job over and over, and a look, again and again, at how many of them believe that they hold its lock. */
final class Overlap {
    private final List<RealNode> nodes;
    private final Set<JobLock> handles = ConcurrentHashMap.newKeySet();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final AtomicInteger grants = new AtomicInteger();
    private volatile boolean over;

    Overlap(List<RealNode> nodes) {
        this.nodes = nodes;
    }

    /** Halts the server at random for as long as a lease may last, or less. */
    void runFor(Duration duration, RedisServer redis) {
        List<CompletableFuture<Void>> workers = nodes.stream()
                .map(node -> CompletableFuture.runAsync(() -> work(node), command -> start(command, "worker")))
                .toList();
        CompletableFuture<Void> watcher = CompletableFuture.runAsync(this::watch, command -> start(command, "watcher"));
        Random random = new Random(7);
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() < end) {
            pause(100 + random.nextInt(400));
            redis.pause();
            pause(random.nextInt(700));
            redis.resume();
        }
        over = true;
        workers.forEach(CompletableFuture::join);
        watcher.join();
    }

    Queue<String> violations() {
        return violations;
    }

    int grants() {
        return grants.get();
    }

    private void work(RealNode node) {
        Random random = new Random(node.hashCode());
        while (!over) {
            LockOutcome outcome = node.service.tryLock(JobRun.exclusive("job"));
            if (outcome instanceof Granted granted) {
                grants.incrementAndGet();
                handles.add(granted.lock());
                pause(random.nextInt(100));
                granted.lock().release();
                handles.remove(granted.lock());
            } else {
                pause(random.nextInt(20));
            }
        }
    }

    private void watch() {
        while (!over) {
            List<JobLock> held = handles.stream().filter(JobLock::isHeld).toList();
            if (held.size() > 1) {
                // Seen one after the other, one may have ended in between: both must be held still.
                List<JobLock> both = held.stream().filter(JobLock::isHeld).toList();
                if (both.size() > 1 && held.get(0).isHeld()) {
                    violations.add(both.toString());
                }
            }
            Thread.onSpinWait();
        }
    }

    private static void start(Runnable task, String name) {
        Thread thread = new Thread(task, "overlap-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
