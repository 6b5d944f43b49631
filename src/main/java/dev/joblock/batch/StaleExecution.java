package dev.joblock.batch;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An execution that the job repository holds for running, while nobody holds its lock. Immutable and thread-safe.
 */
public final class StaleExecution {

    private final long id;
    private final String job;
    private final String lockName;
    private final String status;
    private final @Nullable Instant started;
    private final @Nullable Owner owner;
    private final Instant now;

    private StaleExecution(
            long id,
            String job,
            String lockName,
            String status,
            @Nullable Instant started,
            @Nullable Owner owner,
            Instant now) {
        this.id = id;
        this.job = job;
        this.lockName = lockName;
        this.status = status;
        this.started = started;
        this.owner = owner;
        this.now = now;
    }

    /** What is known of an execution at a time. */
    static StaleExecution of(Object execution, String job, String lockName, Instant now) {
        return new StaleExecution(
                BatchTypes.id(execution),
                job,
                lockName,
                BatchTypes.get(execution, "status").toString(),
                BatchTypes.started(execution),
                Owner.read(execution),
                now);
    }

    /**
     * The id of the execution.
     *
     * @return as the job repository has it
     */
    public long id() {
        return id;
    }

    /**
     * The Batch job's name.
     *
     * @return for example {@code invoice}
     */
    public String job() {
        return job;
    }

    /**
     * The name of the lock that nobody holds.
     *
     * @return for example {@code batch:invoice?date=2026-10-25}
     */
    public String lockName() {
        return lockName;
    }

    /**
     * The status in which it was left.
     *
     * @return {@code STARTING}, {@code STARTED} or {@code STOPPING}
     */
    public String status() {
        return status;
    }

    /**
     * The node that ran it.
     *
     * @return its id, or empty if the execution was launched without a guard or had not begun
     */
    public Optional<String> node() {
        return Optional.ofNullable(owner).map(Owner::node);
    }

    /**
     * The fencing token under which it ran.
     *
     * @return the token, or empty if the execution was launched without a guard or had not begun
     */
    public Optional<Long> fencingToken() {
        return Optional.ofNullable(owner).map(Owner::token);
    }

    /**
     * When it started, by the clock of its node.
     *
     * @return an instant, or empty if the repository does not say
     */
    public Optional<Instant> started() {
        return Optional.ofNullable(started);
    }

    /**
     * How long before the listing it started, in Redis time.
     *
     * @return the age; zero if it is not known
     */
    public Duration age() {
        return started == null || started.isAfter(now) ? Duration.ZERO : Duration.between(started, now);
    }

    /** Whether it is proven that its run is over: it ran under the very lock that is free now. */
    boolean isOwnerless() {
        return owner != null && owner.lockName().equals(lockName);
    }

    @Override
    public String toString() {
        return "stale execution " + id + " of "
                + node().map(node -> "node " + node).orElse("an unknown node") + ", " + status
                + (started == null ? "" : ", started " + started + ", " + age().toMillis() / 1000 + " s ago");
    }
}
