package dev.joblock.events;

import dev.joblock.Denied;
import dev.joblock.JobRun;

/** A run did not get its lock. Immutable. */
public final class JobDeniedEvent extends JobLockEvent {

    private static final long serialVersionUID = 1L;

    /** Why; it does not survive serialization. */
    private final transient Denied denied;

    /**
     * An event.
     *
     * @param source who publishes it
     * @param run the run
     * @param denied why it did not get its lock
     */
    public JobDeniedEvent(Object source, JobRun run, Denied denied) {
        super(source, run);
        this.denied = denied;
    }

    /**
     * Why it did not get its lock.
     *
     * @return the denial
     */
    public Denied getDenied() {
        return denied;
    }
}
