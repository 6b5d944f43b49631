package dev.joblock;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the ledger remembers of a job's runs beyond its single entries. Immutable and thread-safe. */
public final class JobSummary {

    private final String job;
    private final String lockName;
    private final long token;
    private final HistoryOutcome outcome;
    private final String node;
    private final Instant at;
    private final @Nullable Instant slot;
    private final @Nullable Instant lastSuccess;
    private final @Nullable Instant lastFailure;
    private final @Nullable String error;
    private final int failures;

    private JobSummary(
            String job,
            String lockName,
            long token,
            HistoryOutcome outcome,
            String node,
            Instant at,
            @Nullable Instant slot,
            @Nullable Instant lastSuccess,
            @Nullable Instant lastFailure,
            @Nullable String error,
            int failures) {
        this.job = job;
        this.lockName = lockName;
        this.token = token;
        this.outcome = outcome;
        this.node = node;
        this.at = at;
        this.slot = slot;
        this.lastSuccess = lastSuccess;
        this.lastFailure = lastFailure;
        this.error = error;
        this.failures = failures;
    }

    /**
     * A summary as it was kept.
     *
     * @param last the last run
     * @param lastSuccess when a run last did its work; null if none did
     * @param lastFailure when a run last came to a bad end; null if none did
     * @param error the class of what it threw, or the outcome's word; null if none came to a bad end
     * @param failures how many runs in a row came to a bad end
     * @return the summary
     */
    public static JobSummary of(
            HistoryEntry last,
            @Nullable Instant lastSuccess,
            @Nullable Instant lastFailure,
            @Nullable String error,
            int failures) {
        return new JobSummary(
                last.job(),
                last.lockName(),
                last.fencingToken(),
                last.outcome(),
                last.node(),
                last.at(),
                last.slot().orElse(null),
                lastSuccess,
                lastFailure,
                error,
                failures);
    }

    /**
     * A summary with one more run. A run that is in it already, known by its token, is not counted twice; one that is older
     * than the last changes nothing.
     *
     * @param before the summary so far; null for none
     * @param run an entry whose outcome is a run
     * @return the summary with the run
     */
    public static JobSummary with(@Nullable JobSummary before, HistoryEntry run) {
        if (before != null && run.fencingToken() < before.token) {
            return before;
        }
        boolean again = before != null && run.fencingToken() == before.token;
        Instant success = before == null ? null : before.lastSuccess;
        if (!run.outcome().isTrouble()) {
            return of(
                    run, run.at(), before == null ? null : before.lastFailure, before == null ? null : before.error, 0);
        }
        int failures = before == null ? 0 : before.failures;
        boolean counted = again && Objects.requireNonNull(before).outcome.isTrouble();
        String error = run.errorClass().orElse(run.outcome().toString());
        return of(run, success, run.at(), error, counted ? failures : failures + 1);
    }

    /**
     * The job's name.
     *
     * @return the name
     */
    public String job() {
        return job;
    }

    /**
     * The name of its lock.
     *
     * @return the lock name
     */
    public String lockName() {
        return lockName;
    }

    /**
     * The fencing token of the last run.
     *
     * @return a positive number
     */
    public long fencingToken() {
        return token;
    }

    /**
     * How the last run ended.
     *
     * @return the outcome
     */
    public HistoryOutcome outcome() {
        return outcome;
    }

    /**
     * Where the last run was.
     *
     * @return the node's id
     */
    public String node() {
        return node;
    }

    /**
     * When the last run ended.
     *
     * @return an instant in Redis time
     */
    public Instant at() {
        return at;
    }

    /**
     * The slot of the last run.
     *
     * @return its scheduled time, or empty if it had none
     */
    public Optional<Instant> slot() {
        return Optional.ofNullable(slot);
    }

    /**
     * When a run last did its work.
     *
     * @return an instant in Redis time, or empty if none did
     */
    public Optional<Instant> lastSuccess() {
        return Optional.ofNullable(lastSuccess);
    }

    /**
     * When a run last came to a bad end.
     *
     * @return an instant in Redis time, or empty if none did
     */
    public Optional<Instant> lastFailure() {
        return Optional.ofNullable(lastFailure);
    }

    /**
     * What the last bad end was.
     *
     * @return the class of what the job threw, or the word of the outcome; empty if none came to a bad end
     */
    public Optional<String> lastError() {
        return Optional.ofNullable(error);
    }

    /**
     * How many runs in a row came to a bad end, up to the last one.
     *
     * @return 0 if the last run did its work
     */
    public int consecutiveFailures() {
        return failures;
    }

    @Override
    public String toString() {
        return "'" + job + "' " + outcome + " at " + at + ", failures in a row: " + failures;
    }
}
