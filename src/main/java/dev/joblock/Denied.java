package dev.joblock;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The lock was not got, and why. Immutable and thread-safe. */
public final class Denied extends LockOutcome {

    private final DenialReason reason;
    private final @Nullable RecordedRun other;
    private final @Nullable Instant until;
    private final @Nullable StoreFault fault;
    private final String detail;
    private final boolean otherDefinition;
    private final @Nullable Instant redisTime;
    private final boolean runWithoutLock;

    private Denied(
            DenialReason reason,
            @Nullable RecordedRun other,
            @Nullable Instant until,
            @Nullable StoreFault fault,
            String detail,
            boolean otherDefinition) {
        this(reason, other, until, fault, detail, otherDefinition, null, false);
    }

    private Denied(
            DenialReason reason,
            @Nullable RecordedRun other,
            @Nullable Instant until,
            @Nullable StoreFault fault,
            String detail,
            boolean otherDefinition,
            @Nullable Instant redisTime,
            boolean runWithoutLock) {
        this.reason = reason;
        this.other = other;
        this.until = until;
        this.fault = fault;
        this.detail = detail;
        this.otherDefinition = otherDefinition;
        this.redisTime = redisTime;
        this.runWithoutLock = runWithoutLock;
    }

    /**
     * A denial because of another run: held, taken, passed or too soon.
     *
     * @param reason the reason
     * @param other the run that stands in the way
     * @param until when it is worth asking again, in Redis time; null if never
     * @param otherDefinition whether that run came from another definition of the same trigger
     * @return the denial
     */
    public static Denied by(DenialReason reason, RecordedRun other, @Nullable Instant until, boolean otherDefinition) {
        return new Denied(reason, Objects.requireNonNull(other), until, null, "", otherDefinition);
    }

    /**
     * A denial because the slot lies too far ahead of Redis time.
     *
     * @param redisTime the time of Redis at the ask
     * @param scheduled the scheduled time of the slot
     * @return the denial; it is worth asking again at {@code scheduled}
     */
    public static Denied clockAhead(Instant redisTime, Instant scheduled) {
        String detail = "this node's clock is ahead: the slot is due at " + scheduled + ", Redis time is " + redisTime
                + ", " + Durations.format(Duration.between(redisTime, scheduled)) + " before that";
        return new Denied(DenialReason.CLOCK_AHEAD, null, scheduled, null, detail, false, redisTime, false);
    }

    /**
     * A denial of a run that asks for an owed slot while the record of the lock owes nothing.
     *
     * @param scheduled the scheduled time of the slot
     * @return the denial; asking again won't help
     */
    public static Denied notOwed(Instant scheduled) {
        String detail = "the slot of " + scheduled + " is not owed";
        return new Denied(DenialReason.PASSED, null, null, null, detail, false);
    }

    /**
     * A denial because a client that is none of our nodes holds the lock, as can be in token mode.
     *
     * @param value what it wrote at the key
     * @param until when its lock expires, in Redis time; null if never
     * @return the denial
     */
    public static Denied byOutsider(String value, @Nullable Instant until) {
        String detail = "by another client with the value '" + value + "', "
                + (until == null ? "a lock without expiry" : "until " + until);
        return new Denied(DenialReason.HELD, null, until, null, detail, false);
    }

    /**
     * A denial because of the hand-written lock that is kept beside ours while a cluster is upgraded.
     *
     * @param reason held, taken or too soon
     * @param key the key of that lock
     * @param since when it was written
     * @param until when it is worth asking again, in Redis time; null if never
     * @return the denial
     */
    public static Denied byLegacy(DenialReason reason, String key, Instant since, @Nullable Instant until) {
        String detail = (reason == DenialReason.TOO_SOON
                        ? "the interval of the older version of the lock (key '" + key + "') counts from " + since
                        : "by an older version of the lock (key '" + key + "', since " + since + ")")
                + (until == null ? "" : ", until " + until);
        return new Denied(reason, null, until, null, detail, false);
    }

    /**
     * A denial because of the store.
     *
     * @param fault what was wrong
     * @param detail a sentence for people
     * @return the denial
     */
    public static Denied storeDown(StoreFault fault, String detail) {
        return new Denied(DenialReason.STORE_DOWN, null, null, Objects.requireNonNull(fault), detail, false);
    }

    /**
     * The same denial of a run that goes on without its lock, since the store is down and its policy says so.
     *
     * @return a copy
     */
    public Denied withRunWithoutLock() {
        return new Denied(reason, other, until, fault, detail, otherDefinition, redisTime, true);
    }

    /**
     * Why the lock was not got.
     *
     * @return the reason
     */
    public DenialReason reason() {
        return reason;
    }

    /**
     * The run that stands in the way.
     *
     * @return the run, or empty if no run is the reason
     */
    public Optional<RecordedRun> other() {
        return Optional.ofNullable(other);
    }

    /**
     * When it is worth asking again: the end of the lease, of the interval, or the slot's own time.
     *
     * @return an instant in Redis time, or empty if asking again won't help or the time is not known
     */
    public Optional<Instant> until() {
        return Optional.ofNullable(until);
    }

    /**
     * What was wrong with the store.
     *
     * @return the fault, or empty if the store was well
     */
    public Optional<StoreFault> fault() {
        return Optional.ofNullable(fault);
    }

    /**
     * Whether nodes disagree about the schedule of this trigger, as they do while a change is rolled out.
     *
     * @return true if the mark comes from another definition
     */
    public boolean isOtherDefinition() {
        return otherDefinition;
    }

    /**
     * The time of Redis at the ask.
     *
     * @return an instant, or empty unless the reason is {@link DenialReason#CLOCK_AHEAD}
     */
    public Optional<Instant> redisTime() {
        return Optional.ofNullable(redisTime);
    }

    /**
     * Whether the run goes on without its lock: the store is down, and the policy of the job says {@code run}.
     *
     * @return true if whoever asked is to run
     */
    public boolean isRunWithoutLock() {
        return runWithoutLock;
    }

    @Override
    public boolean isGranted() {
        return false;
    }

    /**
     * The reason as a sentence: by whom, since when.
     *
     * @return for example {@code held by n2 since 2026-10-25T01:30:00Z}
     */
    @Override
    public String toString() {
        if (fault != null) {
            return reason + ": " + fault + (detail.isEmpty() ? "" : ", " + detail);
        }
        if (other == null) {
            return reason + (detail.isEmpty() ? "" : ": " + detail);
        }
        String when = reason == DenialReason.HELD && until != null ? ", lease until " + until : "";
        String what = reason == DenialReason.PASSED && other.scheduled().isPresent()
                ? " (slot " + other.scheduled().get() + ")"
                : "";
        return reason + " by " + other.node() + " since " + other.since() + what + when;
    }
}
