package dev.joblock;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a job that asks for its lock, and by which rule.
 *
 * <ul>
 *   <li>{@link Rule#SLOT}: at most one node ever gets this slot.
 *   <li>{@link Rule#OWED}: a run that was started and cut short, asked for again; granted only if it is owed.
 *   <li>{@link Rule#INTERVAL}: nodes share no slot; a minimum interval since the last start (or end) in Redis time.
 *   <li>{@link Rule#EXCLUSIVE}: mutual exclusion alone; touches no mark and no interval. Manual runs and direct calls.
 * </ul>
 *
 * <p>Immutable and thread-safe.
 */
public final class JobRun {

    /** By which rule a run is granted. Mutual exclusion by lock name holds with each of them. */
    public enum Rule {
        /** Once per slot of a lane. */
        SLOT,
        /** Only a slot that is owed. */
        OWED,
        /** A minimum interval in a lane. */
        INTERVAL,
        /** Mutual exclusion alone. */
        EXCLUSIVE
    }

    /** Why a run came about. */
    public enum Origin {
        /** A scheduler fired it at its time. */
        SCHEDULED("scheduled"),
        /** It was denied before for a reason that has passed. */
        RETRY("retry"),
        /** It was started before and cut short. */
        RERUN("rerun"),
        /** A person or a program asked for it. */
        MANUAL("manual");

        private final String text;

        Origin(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private final String job;
    private final @Nullable String lockName;
    private final Rule rule;
    private final String lane;
    private final @Nullable Slot slot;
    private final Duration interval;
    private final boolean fromEnd;
    private final boolean startPending;
    private final Origin origin;
    private final @Nullable String by;
    private final @Nullable JobLockPolicy policy;

    private JobRun(Parts parts) {
        this.job = requireText("job name", parts.job);
        this.lockName = parts.lockName;
        this.rule = parts.rule;
        this.lane = parts.lane;
        this.slot = parts.slot;
        this.interval = parts.interval;
        this.fromEnd = parts.fromEnd;
        this.startPending = parts.startPending;
        this.origin = parts.origin;
        this.by = parts.by;
        this.policy = parts.policy;
    }

    /** What a run is made of, to be changed before it is made. */
    private static final class Parts {
        private final String job;
        private final Rule rule;
        private @Nullable String lockName;
        private String lane = "";
        private @Nullable Slot slot;
        private Duration interval = Duration.ZERO;
        private boolean fromEnd;
        private boolean startPending;
        private Origin origin;
        private @Nullable String by;
        private @Nullable JobLockPolicy policy;

        Parts(String job, Rule rule, Origin origin) {
            this.job = job;
            this.rule = rule;
            this.origin = origin;
        }

        Parts inLane(String text) {
            lane = requireText("lane", text);
            return this;
        }

        JobRun run() {
            return new JobRun(this);
        }
    }

    private JobRun with(Consumer<Parts> change) {
        Parts copy = new Parts(job, rule, origin);
        copy.lockName = lockName;
        copy.lane = lane;
        copy.slot = slot;
        copy.interval = interval;
        copy.fromEnd = fromEnd;
        copy.startPending = startPending;
        copy.by = by;
        copy.policy = policy;
        change.accept(copy);
        return copy.run();
    }

    /**
     * A run that only excludes others: a manual run or a direct call.
     *
     * @param job the job's name, with its group in front where that is not the default group
     * @return the run
     */
    public static JobRun exclusive(String job) {
        return new Parts(job, Rule.EXCLUSIVE, Origin.MANUAL).run();
    }

    /**
     * A run of one slot of a trigger.
     *
     * @param job the job's name, with its group in front where that is not the default group
     * @param lane the trigger's stream of slots; equal on all nodes
     * @param slot the slot
     * @return the run
     */
    public static JobRun slot(String job, String lane, Slot slot) {
        Parts parts = new Parts(job, Rule.SLOT, Origin.SCHEDULED).inLane(lane);
        parts.slot = Objects.requireNonNull(slot);
        return parts.run();
    }

    /**
     * A run that was started before and cut short, as a scheduler's own recovery asks for it.
     *
     * @param job the job's name, with its group in front where that is not the default group
     * @param lane the lane of the original run
     * @param scheduled the scheduled time of the original run
     * @return the run
     */
    public static JobRun owed(String job, String lane, Instant scheduled) {
        Parts parts = new Parts(job, Rule.OWED, Origin.RERUN).inLane(lane);
        parts.slot = Slot.last(scheduled, null, "");
        return parts.run();
    }

    /**
     * A run of a trigger whose phase is each node's own, such as a fixed rate.
     *
     * @param job the job's name, with its group in front where that is not the default group
     * @param lane the trigger's stream of runs; equal on all nodes
     * @param interval the least time between two starts; the tolerance is the larger of a sixtieth and 50 ms
     * @return the run
     */
    public static JobRun interval(String job, String lane, Duration interval) {
        Parts parts = new Parts(job, Rule.INTERVAL, Origin.SCHEDULED).inLane(lane);
        parts.interval = Durations.positive("interval", interval);
        return parts.run();
    }

    /**
     * The same run with the interval counted from the end of the last one, as a fixed delay is.
     *
     * @return a copy
     */
    public JobRun countedFromEnd() {
        return with(parts -> parts.fromEnd = true);
    }

    /**
     * The same run under a lock name that differs from the job's name.
     *
     * @param name the lock name; jobs that share it exclude one another
     * @return a copy
     */
    public JobRun withLockName(String name) {
        return with(parts -> parts.lockName = requireText("lock name", name));
    }

    /**
     * The same run, to be granted before it is certain that it starts. Such a grant has a short lease and is not renewed
     * until {@link JobLock#started()} or {@link JobLock#keep()} is called.
     *
     * @return a copy
     */
    public JobRun beforeStart() {
        return with(parts -> parts.startPending = true);
    }

    /**
     * The same run with another origin than its rule has by itself: {@link Rule#SLOT} and {@link Rule#INTERVAL} are
     * scheduled, {@link Rule#OWED} is a rerun, {@link Rule#EXCLUSIVE} is manual.
     *
     * @param other the origin
     * @return a copy
     */
    public JobRun from(Origin other) {
        return with(parts -> parts.origin = Objects.requireNonNull(other));
    }

    /**
     * The same run, asked for by a person.
     *
     * @param person who asks, as logs and records name them
     * @return a copy
     */
    public JobRun askedBy(String person) {
        return with(parts -> parts.by = requireText("name of who asks for '" + job + "'", person));
    }

    /**
     * The same run with a policy of its own, which holds where no policy of the application names the job.
     *
     * @param ownPolicy lease and so on; its patterns mean nothing
     * @return a copy
     */
    public JobRun withPolicy(JobLockPolicy ownPolicy) {
        return with(parts -> parts.policy = Objects.requireNonNull(ownPolicy));
    }

    /**
     * The job's name as policies match it.
     *
     * @return for example {@code invoice} or {@code nightly.invoice}
     */
    public String job() {
        return job;
    }

    /**
     * The name of the lock, unless a policy says otherwise.
     *
     * @return the lock name; the job's name by default
     */
    public String lockName() {
        return lockName == null ? job : lockName;
    }

    /**
     * By which rule the run is granted.
     *
     * @return the rule
     */
    public Rule rule() {
        return rule;
    }

    /**
     * The trigger's stream of slots.
     *
     * @return a text that is equal on all nodes; empty for {@link Rule#EXCLUSIVE}
     */
    public String lane() {
        return lane;
    }

    /**
     * The slot of this run.
     *
     * @return the slot, or empty where the rule has none
     */
    public Optional<Slot> slot() {
        return Optional.ofNullable(slot);
    }

    /**
     * The minimum interval.
     *
     * @return zero where the rule has none
     */
    public Duration interval() {
        return interval;
    }

    /**
     * Whether the interval counts from the end of the last run.
     *
     * @return false if it counts from the start
     */
    public boolean isCountedFromEnd() {
        return fromEnd;
    }

    /**
     * Whether the grant comes before it is certain that the run starts.
     *
     * @return true if {@link JobLock#started()} will follow
     */
    public boolean isBeforeStart() {
        return startPending;
    }

    /**
     * Why the run came about.
     *
     * @return the origin
     */
    public Origin origin() {
        return origin;
    }

    /**
     * The person who asked for the run.
     *
     * @return a name, or empty if nobody is known
     */
    public Optional<String> by() {
        return Optional.ofNullable(by);
    }

    /**
     * The run's own policy.
     *
     * @return the policy for where none names the job, or empty for the defaults
     */
    public Optional<JobLockPolicy> policy() {
        return Optional.ofNullable(policy);
    }

    @Override
    public String toString() {
        switch (rule) {
            case SLOT:
                return "'" + job + "' slot " + slot;
            case OWED:
                return "'" + job + "' owed slot " + slot;
            case INTERVAL:
                return "'" + job + "' every " + Durations.format(interval);
            default:
                return "'" + job + "'";
        }
    }

    private static String requireText(String what, String text) {
        if (text.trim().isEmpty()) {
            throw new IllegalArgumentException("The " + what + " '" + text + "' is blank; give it a name");
        }
        return text;
    }
}
