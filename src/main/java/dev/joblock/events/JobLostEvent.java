package dev.joblock.events;

import dev.joblock.JobLock;

/** The lease of a run was lost before it had ended. Immutable. */
public final class JobLostEvent extends JobLockEvent {

    private static final long serialVersionUID = 1L;

    /** The handle; it does not survive serialization. */
    private final transient JobLock lock;

    /** Why it was lost. It does not survive serialization. */
    private final transient String why;

    /**
     * An event.
     *
     * @param source who publishes it
     * @param lock the handle
     * @param why a sentence for people
     */
    public JobLostEvent(Object source, JobLock lock, String why) {
        super(source, lock.run());
        this.lock = lock;
        this.why = why;
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
     * Why it was lost.
     *
     * @return a sentence for people
     */
    public String getWhy() {
        return why;
    }
}
