package dev.joblock.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's threads, all daemons: one timer; one for renewals and repeated releases, so that a stuck socket holds up no
 * timer; one for listeners; and up to 64 that ask the store while the asker waits for no longer than its budget.
 */
final class Workers implements Timer {

    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
    private static final int MOST_ASKS = 64;
    private static final int MOST_EVENTS = 100_000;

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, threads("joblock-timer"));
    private final ThreadPoolExecutor io = single("joblock-io", Integer.MAX_VALUE);
    private final ThreadPoolExecutor events = single("joblock-events", MOST_EVENTS);
    private final ThreadPoolExecutor asks = new ThreadPoolExecutor(
            0, MOST_ASKS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), threads("joblock-ask"));

    Workers() {
        timer.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Runnable after(long delayNanos, Runnable task) {
        try {
            ScheduledFuture<?> future = timer.schedule(guarded(task), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException e) {
            return () -> {};
        }
    }

    Executor io() {
        return task -> quietly(io, task, "a renewal or release");
    }

    Executor events() {
        return task -> quietly(events, task, "an event for listeners");
    }

    /** Refuses when all threads are busy: the store is slow. */
    Executor asks() {
        return asks;
    }

    /** Lets begun work end for a bounded time. */
    void close(long millis) {
        timer.shutdownNow();
        ThreadPoolExecutor[] pools = {io, asks, events};
        for (ThreadPoolExecutor pool : pools) {
            pool.shutdown();
        }
        try {
            for (ThreadPoolExecutor pool : pools) {
                if (!pool.awaitTermination(millis, TimeUnit.MILLISECONDS)) {
                    pool.shutdownNow();
                }
            }
        } catch (InterruptedException e) {
            for (ThreadPoolExecutor pool : pools) {
                pool.shutdownNow();
            }
            Thread.currentThread().interrupt();
        }
    }

    private static void quietly(ThreadPoolExecutor pool, Runnable task, String what) {
        try {
            pool.execute(guarded(task));
        } catch (RejectedExecutionException e) {
            LOG.warn("Joblock drops {}: {}", what, pool.isShutdown() ? "this node is closing" : "its queue is full");
        }
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable e) {
                LOG.error("Joblock: a background task failed; please report this", e);
            }
        };
    }

    private static ThreadPoolExecutor single(String name, int capacity) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(capacity), threads(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ThreadFactory threads(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
