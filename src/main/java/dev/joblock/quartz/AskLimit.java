package dev.joblock.quartz;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;

/**
 * Lets at most half of a scheduler's workers, and at least one, wait for the store at once, so that a slow store leaves
 * workers for jobs that are not guarded.
 *
 * <p>A worker beyond that waits for a place as long as the store answers others, so that a burst of fires at one instant
 * loses none. Where half a second passes without an answer, it gives up, and so does everybody at once until there is an
 * answer again. Thread-safe.
 */
final class AskLimit {

    private static final long PATIENCE_MS = 500;
    private static final int MOST_WAITS = 4;

    /** Spring's pool for a task executor of the host does not tell its size. */
    private static final int ASSUMED_WORKERS = 10;

    private final Map<Scheduler, Gate> gates = Collections.synchronizedMap(new WeakHashMap<>());

    /**
     * The gate of a scheduler.
     *
     * @throws SchedulerException if the scheduler does not tell how many workers it has
     */
    Gate of(Scheduler scheduler) throws SchedulerException {
        Gate known = gates.get(scheduler);
        if (known != null) {
            return known;
        }
        int workers = scheduler.getMetaData().getThreadPoolSize();
        int places = Math.max(1, (workers > 0 ? workers : ASSUMED_WORKERS) / 2);
        return gates.computeIfAbsent(scheduler, any -> new Gate(places));
    }

    /** The places of one scheduler. Thread-safe. */
    static final class Gate {

        private final Semaphore places;
        private final AtomicLong answers = new AtomicLong();
        private volatile boolean silent;

        Gate(int number) {
            places = new Semaphore(number, true);
        }

        /** Waits for a place; true if the ask may go on, and {@link #leave} must follow. */
        boolean enter() {
            if (acquire(0)) {
                return true;
            }
            for (int wait = 0; wait < MOST_WAITS && !silent; wait++) {
                long before = answers.get();
                if (acquire(PATIENCE_MS)) {
                    return true;
                }
                silent = answers.get() == before;
            }
            return false;
        }

        /** An interrupt is put off, as with the ask itself: it means what ran before on this worker, not this fire. */
        private boolean acquire(long ms) {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        return places.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        void leave(boolean answered) {
            if (answered) {
                answers.incrementAndGet();
                silent = false;
            }
            places.release();
        }
    }
}
