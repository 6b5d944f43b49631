package dev.joblock;

import org.jspecify.annotations.Nullable;

/**
 * Goes along with runs on the threads that work for them: what it puts onto a thread, such as the MDC of a log or a tracing
 * scope, it takes away there again.
 *
 * <p>Called in the job's way, so it must not block. Thread-safe. What it throws is logged and goes no further. As a bean it is
 * made before the {@link JobLockService}, so it can't be given that.
 */
public interface RunObserver {

    /**
     * The calling thread goes to work for a run: makes it its current run ({@link JobLockService#enter}). A run may have
     * several threads, and a thread may enter the same run again.
     *
     * @param lock the lease of the run; the same object for all that is told of it
     * @return hears of the rest on this thread, in the reverse order where entries nest
     */
    Entry enter(JobLock lock);

    /**
     * A run has ended, on any thread; its lease is being released. Called once, also for a run that no thread has entered.
     *
     * @param lock the lease of the run
     * @param lost whether the lease was lost before the end
     * @param failure what the run ended with, or null if it did its work
     */
    default void ended(JobLock lock, boolean lost, @Nullable Throwable failure) {}

    /** A thread's work for one run. For that thread alone. */
    interface Entry {

        /** The job's own work begins here. Not called again where a run that has begun is entered once more. */
        default void begun() {}

        /** The thread works for the run no more. */
        void left();
    }
}
