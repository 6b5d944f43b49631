package dev.joblock.events;

import dev.joblock.JobLock;

/** A run got its lock. Immutable. */
public final class JobGrantedEvent extends JobLockEvent {

    private static final long serialVersionUID = 1L;

    /** The handle; it does not survive serialization. */
    private final transient JobLock lock;

    /**
     * An event.
     *
     * @param source who publishes it
     * @param lock the handle
     */
    public JobGrantedEvent(Object source, JobLock lock) {
        super(source, lock.run());
        this.lock = lock;
    }

    /**
     * The handle.
     *
     * @return the handle of the lease
     */
    public JobLock getLock() {
        return lock;
    }
}
