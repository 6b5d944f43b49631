package dev.joblock.events;

import dev.joblock.JobLock;
import dev.joblock.RecordedRun;

/** A run took over the dead lease of a run that never ended. Immutable. */
public final class JobAbandonedEvent extends JobLockEvent {

    private static final long serialVersionUID = 1L;

    /** The handle; it does not survive serialization. */
    private final transient JobLock lock;

    /** The run that was cut short. It does not survive serialization. */
    private final transient RecordedRun abandoned;

    /**
     * An event.
     *
     * @param source who publishes it
     * @param lock the handle
     * @param abandoned the run that was cut short
     */
    public JobAbandonedEvent(Object source, JobLock lock, RecordedRun abandoned) {
        super(source, lock.run());
        this.lock = lock;
        this.abandoned = abandoned;
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
     * The run that was cut short.
     *
     * @return the run that was cut short
     */
    public RecordedRun getAbandoned() {
        return abandoned;
    }
}
