package dev.joblock;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A job and one of its triggers, as a node has them. Immutable and thread-safe. */
public final class RegisteredJob {

    private final String job;
    private final String lockName;
    private final String trigger;
    private final String schedule;
    private final String zone;
    private final boolean guarded;
    private final @Nullable Instant next;
    private final @Nullable Instant previous;

    /**
     * A job and a trigger.
     *
     * @param job the job's name, as policies match it
     * @param lockName the name of its lock
     * @param trigger the trigger's name; empty if the job has none
     * @param schedule the schedule for people and for comparison, without the zone, such as {@code cron 0 0 3 * * ?}
     * @param zone the id of the zone in which the schedule is meant; empty where it plays no part
     * @param guarded whether the kit guards it
     * @param next the next fire time by this node's clock; null if there is none
     * @param previous the last fire time by this node's clock; null if there was none
     */
    public RegisteredJob(
            String job,
            String lockName,
            String trigger,
            String schedule,
            String zone,
            boolean guarded,
            @Nullable Instant next,
            @Nullable Instant previous) {
        this.job = Objects.requireNonNull(job);
        this.lockName = Objects.requireNonNull(lockName);
        this.trigger = Objects.requireNonNull(trigger);
        this.schedule = Objects.requireNonNull(schedule);
        this.zone = Objects.requireNonNull(zone);
        this.guarded = guarded;
        this.next = next;
        this.previous = previous;
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
     * The name of its lock.
     *
     * @return the lock name
     */
    public String lockName() {
        return lockName;
    }

    /**
     * The trigger's name.
     *
     * @return the name; empty if the job has no trigger
     */
    public String trigger() {
        return trigger;
    }

    /**
     * The schedule without its zone.
     *
     * @return for example {@code cron 0 0 3 * * ?}; empty if the job has no trigger
     */
    public String schedule() {
        return schedule;
    }

    /**
     * The zone in which the schedule is meant.
     *
     * @return a zone id; empty where it plays no part
     */
    public String zone() {
        return zone;
    }

    /**
     * Whether the kit guards it.
     *
     * @return false if it runs on every node
     */
    public boolean isGuarded() {
        return guarded;
    }

    /**
     * The next fire time.
     *
     * @return an instant by the node's clock, or empty if there is none
     */
    public Optional<Instant> next() {
        return Optional.ofNullable(next);
    }

    /**
     * The last fire time.
     *
     * @return an instant by the node's clock, or empty if there was none
     */
    public Optional<Instant> previous() {
        return Optional.ofNullable(previous);
    }

    @Override
    public String toString() {
        return "'" + job + "' " + trigger + " " + schedule + (zone.isEmpty() ? "" : " " + zone);
    }
}
