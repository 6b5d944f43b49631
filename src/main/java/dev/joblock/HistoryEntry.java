package dev.joblock;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One line of the ledger: what became of one fire on one node. All times are Redis times. Immutable and thread-safe.
 *
 * <p>Names come from whoever named jobs, nodes and persons: escape them before they go into a page.
 */
public final class HistoryEntry {

    private final Builder values;

    private HistoryEntry(Builder values) {
        this.values = values;
    }

    /**
     * An entry to be filled.
     *
     * @param id what tells it from all other entries; an entry with the same id takes the place of the first
     * @param job the job's name
     * @param node the id of the node where the fire happened
     * @param outcome how it ended
     * @return a builder
     */
    public static Builder builder(String id, String job, String node, HistoryOutcome outcome) {
        return new Builder(id, job, node, outcome);
    }

    /**
     * What tells this entry from all others.
     *
     * @return a short text of printable ASCII
     */
    public String id() {
        return values.id;
    }

    /**
     * When the outcome came about; entries are ordered by it.
     *
     * @return an instant
     */
    public Instant at() {
        return values.at;
    }

    /**
     * The job's name, as policies match it.
     *
     * @return for example {@code nightly.invoice}
     */
    public String job() {
        return values.job;
    }

    /**
     * The name of the lock.
     *
     * @return the job's own name, or the one that it shares
     */
    public String lockName() {
        return values.lockName;
    }

    /**
     * The trigger's stream of slots.
     *
     * @return the lane; empty for runs that have none
     */
    public String lane() {
        return values.lane;
    }

    /**
     * The scheduled time of the slot.
     *
     * @return an instant, or empty where nodes share no slot
     */
    public Optional<Instant> slot() {
        return Optional.ofNullable(values.slot);
    }

    /**
     * The node where the fire happened.
     *
     * @return the node's id
     */
    public String node() {
        return values.node;
    }

    /**
     * How the fire ended.
     *
     * @return the outcome
     */
    public HistoryOutcome outcome() {
        return values.outcome;
    }

    /**
     * Why the run came about.
     *
     * @return scheduled, retry, rerun or manual
     */
    public JobRun.Origin origin() {
        return values.origin;
    }

    /**
     * The person who asked for it.
     *
     * @return a name, or empty if nobody is known
     */
    public Optional<String> by() {
        return Optional.ofNullable(values.by);
    }

    /**
     * When the run got its lock.
     *
     * @return an instant, or empty if it did not
     */
    public Optional<Instant> started() {
        return Optional.ofNullable(values.started);
    }

    /**
     * When the run ended.
     *
     * @return an instant, or empty if it did not run, or its end is not known
     */
    public Optional<Instant> ended() {
        return Optional.ofNullable(values.ended);
    }

    /**
     * The fencing token of the run.
     *
     * @return a positive number, or 0 if it did not get its lock
     */
    public long fencingToken() {
        return values.token;
    }

    /**
     * Why the lock was denied.
     *
     * @return the reason, or empty if it was not
     */
    public Optional<DenialReason> reason() {
        return Optional.ofNullable(values.reason);
    }

    /**
     * A sentence for people: why it was denied or lost.
     *
     * @return the sentence; empty if there is nothing to say
     */
    public String detail() {
        return values.detail;
    }

    /**
     * The node of the run because of which the lock was denied.
     *
     * @return the node's id, or empty if no run is the reason
     */
    public Optional<String> holder() {
        return Optional.ofNullable(values.holder);
    }

    /**
     * Since when that run had the lock.
     *
     * @return an instant, or empty if no run is the reason
     */
    public Optional<Instant> holderSince() {
        return Optional.ofNullable(values.holderSince);
    }

    /**
     * The class of what the job threw.
     *
     * @return a class name, or empty if it threw nothing
     */
    public Optional<String> errorClass() {
        return Optional.ofNullable(values.errorClass);
    }

    @Override
    public String toString() {
        return values.at + " '" + values.job + "'" + (values.slot == null ? "" : " slot " + values.slot) + " on "
                + values.node + ": " + values.outcome + (values.detail.isEmpty() ? "" : ", " + values.detail);
    }

    /** Fills an entry. Not thread-safe; may be used again after {@link #build}. */
    public static final class Builder implements Cloneable {

        private final String id;
        private final String job;
        private final String node;
        private final HistoryOutcome outcome;
        private Instant at = Instant.EPOCH;
        private String lockName;
        private String lane = "";
        private JobRun.Origin origin = JobRun.Origin.SCHEDULED;
        private String detail = "";
        private long token;
        private @Nullable Instant slot;
        private @Nullable String by;
        private @Nullable Instant started;
        private @Nullable Instant ended;
        private @Nullable DenialReason reason;
        private @Nullable String holder;
        private @Nullable Instant holderSince;
        private @Nullable String errorClass;

        private Builder(String id, String job, String node, HistoryOutcome outcome) {
            this.id = Objects.requireNonNull(id);
            this.job = Objects.requireNonNull(job);
            this.node = Objects.requireNonNull(node);
            this.outcome = Objects.requireNonNull(outcome);
            this.lockName = job;
        }

        /**
         * When the outcome came about.
         *
         * @param time an instant in Redis time
         * @return this
         */
        public Builder at(Instant time) {
            this.at = time;
            return this;
        }

        /**
         * The name of the lock, where it is not the job's.
         *
         * @param name the lock name
         * @return this
         */
        public Builder lockName(String name) {
            this.lockName = name;
            return this;
        }

        /**
         * The lane and the slot.
         *
         * @param name the lane; empty for none
         * @param scheduled the scheduled time; null for none
         * @return this
         */
        public Builder slot(String name, @Nullable Instant scheduled) {
            this.lane = name;
            this.slot = scheduled;
            return this;
        }

        /**
         * Why the run came about and who asked for it.
         *
         * @param why the origin
         * @param person a name; null if nobody is known
         * @return this
         */
        public Builder origin(JobRun.Origin why, @Nullable String person) {
            this.origin = why;
            this.by = person;
            return this;
        }

        /**
         * The grant.
         *
         * @param since when the run got its lock; null if it did not
         * @param fencingToken its token
         * @return this
         */
        public Builder granted(@Nullable Instant since, long fencingToken) {
            this.started = since;
            this.token = fencingToken;
            return this;
        }

        /**
         * When the run ended.
         *
         * @param time an instant in Redis time; null if its end is not known
         * @return this
         */
        public Builder ended(@Nullable Instant time) {
            this.ended = time;
            return this;
        }

        /**
         * Why the lock was denied.
         *
         * @param why the reason; null if it was not
         * @param node the node of the run that is the reason; null if none is
         * @param since since when that run had the lock; null if not known
         * @return this
         */
        public Builder denied(@Nullable DenialReason why, @Nullable String node, @Nullable Instant since) {
            this.reason = why;
            this.holder = node;
            this.holderSince = since;
            return this;
        }

        /**
         * A sentence for people.
         *
         * @param sentence the sentence; empty for none
         * @return this
         */
        public Builder detail(String sentence) {
            this.detail = sentence;
            return this;
        }

        /**
         * The class of what the job threw.
         *
         * @param className a class name; null if it threw nothing
         * @return this
         */
        public Builder errorClass(@Nullable String className) {
            this.errorClass = className;
            return this;
        }

        /**
         * The entry as it is filled now.
         *
         * @return the entry
         */
        public HistoryEntry build() {
            return new HistoryEntry(copy());
        }

        private Builder copy() {
            try {
                return (Builder) clone();
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
