package dev.joblock.quartz;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;

/**
 * Lets at most half of a scheduler's workers, and at least one, wait for the store at once, so that a slow store leaves
 * workers for jobs that are not guarded. Thread-safe.
 */
final class AskLimit {

    /** Longer than a healthy store takes to answer, short enough not to be noticed by other jobs. */
    private static final long PATIENCE_MS = 100;

    /** Spring's pool for a task executor of the host does not tell its size. */
    private static final int ASSUMED_WORKERS = 10;

    private final Map<Scheduler, Semaphore> gates = Collections.synchronizedMap(new WeakHashMap<>());

    /**
     * Waits shortly for a place.
     *
     * @return true if the ask may go on, and {@link #leave} must follow
     * @throws SchedulerException if the scheduler does not tell how many workers it has
     */
    boolean enter(Scheduler scheduler) throws SchedulerException {
        try {
            return gate(scheduler).tryAcquire(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void leave(Scheduler scheduler) throws SchedulerException {
        gate(scheduler).release();
    }

    private Semaphore gate(Scheduler scheduler) throws SchedulerException {
        Semaphore known = gates.get(scheduler);
        if (known != null) {
            return known;
        }
        int workers = scheduler.getMetaData().getThreadPoolSize();
        int places = Math.max(1, (workers > 0 ? workers : ASSUMED_WORKERS) / 2);
        return gates.computeIfAbsent(scheduler, any -> new Semaphore(places, true));
    }
}
