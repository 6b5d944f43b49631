package dev.joblock.events;

import dev.joblock.JobLock;
import org.jspecify.annotations.Nullable;

/** A run has ended and released its lock. Immutable. */
public final class JobReleasedEvent extends JobLockEvent {

    private static final long serialVersionUID = 1L;

    /** The handle; it does not survive serialization. */
    private final transient JobLock lock;

    /** What the run ended with. It does not survive serialization. */
    private final transient @Nullable Throwable failure;

    /**
     * An event.
     *
     * @param source who publishes it
     * @param lock the handle
     * @param failure what it ended with, or null if it did its work
     */
    public JobReleasedEvent(Object source, JobLock lock, @Nullable Throwable failure) {
        super(source, lock.run());
        this.lock = lock;
        this.failure = failure;
    }

    /**
     * The handle.
     *
     * @return the handle of the lease
     */
    public JobLock getLock() {
        return lock;
    }

    /**
     * What the run ended with.
     *
     * @return what it ended with, or null if it did its work
     */
    public @Nullable Throwable getFailure() {
        return failure;
    }
}
