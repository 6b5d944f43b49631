package dev.joblock;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known of a job: its lock now, and its runs so far. Immutable and thread-safe. */
public final class JobState {

    private final String job;
    private final LockView lock;
    private final @Nullable JobSummary summary;

    /**
     * The state of a job.
     *
     * @param job its name
     * @param lock its lock
     * @param summary its runs; null if none is known
     */
    public JobState(String job, LockView lock, @Nullable JobSummary summary) {
        this.job = job;
        this.lock = lock;
        this.summary = summary;
    }

    /**
     * The job's name.
     *
     * @return the name as policies match it
     */
    public String job() {
        return job;
    }

    /**
     * Its lock as it stands: held by whom, since when, until when; what is wrong with its key.
     *
     * @return the lock
     */
    public LockView lock() {
        return lock;
    }

    /**
     * Its runs: last slot, last success, last failure, failures in a row.
     *
     * @return the summary, or empty if no run is known
     */
    public Optional<JobSummary> runs() {
        return Optional.ofNullable(summary);
    }

    /**
     * Whether a run of it goes on.
     *
     * @return true if its lock is held by one of our nodes
     */
    public boolean isHeld() {
        return lock.run().isPresent();
    }
}
