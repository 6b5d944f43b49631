package dev.joblock.events;

import dev.joblock.JobRun;
import org.springframework.context.ApplicationEvent;

/**
 * Something became of a run on this node. Published on a thread of the engine's own, in order, never on the thread of the job; a
 * slow {@code ApplicationListener} delays later events and no job. Immutable; not meant to be serialized.
 */
public abstract class JobLockEvent extends ApplicationEvent {

    private static final long serialVersionUID = 1L;

    /** The run; it does not survive serialization. */
    private final transient JobRun run;

    /**
     * An event.
     *
     * @param source who publishes it
     * @param run the run
     */
    protected JobLockEvent(Object source, JobRun run) {
        super(source);
        this.run = run;
    }

    /**
     * The run: job, lane, slot, origin, who asked.
     *
     * @return the run
     */
    public JobRun getRun() {
        return run;
    }
}
