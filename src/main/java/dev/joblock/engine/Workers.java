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
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's threads, all daemons: one timer; one for renewals and repeated releases, so that a stuck socket holds up no
 * timer; one for listeners; and those that carry out the calls to the store, up to 64 of them for callers of the service
 * and up to 8 for the thread of the renewals, each of which waits for no longer than the budget; and up to 4 that ask again
 * for denied runs.
 */
final class Workers implements Threads {

    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
    private static final int MOST_ASKS = 64;
    private static final int MOST_IO_CALLS = 8;
    private static final int MOST_RETRIES = 4;
    private static final int MOST_EVENTS = 100_000;
    private static final long EVENTS_LINGER = TimeUnit.MILLISECONDS.toNanos(20);

    /** In ms: until it is tried again to start a thread. */
    private static final long AGAIN = 500;

    private final String owner;
    private final BiFunction<Runnable, String, Thread> maker;
    private final ScheduledThreadPoolExecutor timer;
    private final ThreadPoolExecutor io;
    private final ThreadPoolExecutor eventThread;
    private final Bundled events;
    private final ThreadPoolExecutor ioCalls;
    private final ThreadPoolExecutor asks;
    private final ThreadPoolExecutor retries;

    /** Threads that bear the name of their owner, since several services may live in one JVM. */
    Workers(String owner) {
        this(owner, Thread::new);
    }

    /** Threads that are made, by task and name, as a test says. */
    Workers(String owner, BiFunction<Runnable, String, Thread> maker) {
        this.owner = owner;
        this.maker = maker;
        timer = new ScheduledThreadPoolExecutor(1, threads("joblock-timer"));
        timer.setRemoveOnCancelPolicy(true);
        io = several("joblock-io", 1);
        eventThread = several("joblock-events", 1);
        events = new Bundled(eventThread, new LinkedBlockingQueue<>(MOST_EVENTS), EVENTS_LINGER);
        ioCalls = calls("joblock-io-call", MOST_IO_CALLS);
        asks = calls("joblock-ask", MOST_ASKS);
        retries = several("joblock-retry", MOST_RETRIES);
    }

    @Override
    public Runnable after(long delayNanos, Runnable task) {
        try {
            ScheduledFuture<?> future = timer.schedule(guarded(task), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException e) {
            return () -> {};
        } catch (OutOfMemoryError e) {
            // The task is in the queue, and waits for the next one that can start the thread.
            LOG.warn("Joblock can't start its timer for the moment: {}", e.getMessage());
            return () -> {};
        }
    }

    @Override
    public Executor io() {
        return task -> quietly(io, task, "a renewal or release");
    }

    @Override
    public Executor ioCalls() {
        return ioCalls;
    }

    @Override
    public Executor events() {
        return task -> quietly(events, task, "an event for listeners");
    }

    @Override
    public Executor asks() {
        return asks;
    }

    @Override
    public Executor retries() {
        return task -> quietly(retries, task, "the ask for a run that was denied");
    }

    @Override
    public void close(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        timer.shutdownNow();
        events.finish();
        ThreadPoolExecutor[] pools = {retries, asks, io, ioCalls, eventThread};
        boolean interrupted = false;
        for (ThreadPoolExecutor pool : pools) {
            // One after the other: what ends here may still hand work to those that follow.
            pool.shutdown();
            try {
                if (interrupted || !pool.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    pool.shutdownNow();
                }
            } catch (InterruptedException e) {
                interrupted = true;
                pool.shutdownNow();
            }
        }
        events.drop();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void quietly(Executor pool, Runnable task, String what) {
        try {
            pool.execute(guarded(task));
        } catch (RejectedExecutionException e) {
            LOG.warn("Joblock drops {}: {}", what, timer.isShutdown() ? "this node is closing" : "its queue is full");
        } catch (OutOfMemoryError e) {
            // Of most of these there is one alone: a renewal or release that is dropped is not repeated by anybody.
            LOG.warn("Joblock can't start a thread for {} and tries again: {}", what, e.getMessage());
            Runnable unused = after(TimeUnit.MILLISECONDS.toNanos(AGAIN), () -> quietly(pool, task, what));
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

    private ThreadPoolExecutor several(String name, int number) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                number, number, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private ThreadPoolExecutor calls(String name, int most) {
        return new ThreadPoolExecutor(0, most, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), threads(name));
    }

    private ThreadFactory threads(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = maker.apply(task, name + "-" + count.incrementAndGet() + " " + owner);
            thread.setDaemon(true);
            return thread;
        };
    }
}
