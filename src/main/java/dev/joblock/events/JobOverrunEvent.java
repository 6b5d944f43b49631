package dev.joblock.events;

import dev.joblock.Denied;
import dev.joblock.JobRun;

/** A slot came while another run went on, and no node was granted it afterwards. Immutable. */
public final class JobOverrunEvent extends JobLockEvent {

    private static final long serialVersionUID = 1L;

    /** The denial; it does not survive serialization. */
    private final transient Denied denied;

    /**
     * An event.
     *
     * @param source who publishes it
     * @param run the run of that slot
     * @param denied the denial that this node heard first
     */
    public JobOverrunEvent(Object source, JobRun run, Denied denied) {
        super(source, run);
        this.denied = denied;
    }

    /**
     * By whom it was held, since when.
     *
     * @return the denial that this node heard first
     */
    public Denied getDenied() {
        return denied;
    }
}
