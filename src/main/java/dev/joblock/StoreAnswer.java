package dev.joblock;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store's answer to a {@link LockRequest}: a grant with its token, or a denial. Immutable and thread-safe. */
public final class StoreAnswer {

    private final @Nullable Denied denied;
    private final long token;
    private final Instant since;
    private final @Nullable RecordedRun abandoned;
    private final boolean otherDefinition;
    private final @Nullable Instant passedOver;

    private StoreAnswer(
            @Nullable Denied denied,
            long token,
            Instant since,
            @Nullable RecordedRun abandoned,
            boolean otherDefinition,
            @Nullable Instant passedOver) {
        this.denied = denied;
        this.token = token;
        this.since = since;
        this.abandoned = abandoned;
        this.otherDefinition = otherDefinition;
        this.passedOver = passedOver;
    }

    /**
     * A grant.
     *
     * @param token the fencing token
     * @param since when it was granted, in Redis time
     * @param abandoned the run whose dead lease was taken over, if any
     * @param otherDefinition whether the last mark of the lane came from another definition
     * @return the answer
     */
    public static StoreAnswer granted(
            long token, Instant since, @Nullable RecordedRun abandoned, boolean otherDefinition) {
        return new StoreAnswer(null, token, since, abandoned, otherDefinition, null);
    }

    /**
     * A denial.
     *
     * @param denied why
     * @return the answer
     */
    public static StoreAnswer denied(Denied denied) {
        return new StoreAnswer(denied, 0, Instant.EPOCH, null, denied.isOtherDefinition(), null);
    }

    /**
     * The same answer of a grant that leaves out slots: from this one on up to the slot granted, no slot of the lane was granted to
     * anybody.
     *
     * @param firstSlot when the first of them was due; null if the slot granted follows the last one that was
     * @return a copy
     */
    public StoreAnswer withPassedOver(@Nullable Instant firstSlot) {
        return new StoreAnswer(denied, token, since, abandoned, otherDefinition, firstSlot);
    }

    /**
     * The denial.
     *
     * @return the denial, or empty if the lock was granted
     */
    public Optional<Denied> denial() {
        return Optional.ofNullable(denied);
    }

    /**
     * The fencing token.
     *
     * @return a positive number; 0 if denied
     */
    public long fencingToken() {
        return token;
    }

    /**
     * When the lock was granted.
     *
     * @return an instant in Redis time; the epoch if denied
     */
    public Instant since() {
        return since;
    }

    /**
     * The run whose dead lease was taken over by this grant.
     *
     * @return the run, or empty
     */
    public Optional<RecordedRun> abandoned() {
        return Optional.ofNullable(abandoned);
    }

    /**
     * Whether nodes disagree about the schedule of this trigger.
     *
     * @return true if the mark found came from another definition
     */
    public boolean isOtherDefinition() {
        return otherDefinition;
    }

    /**
     * From when on the slots before the one granted were granted to nobody, and never will be while this grant stays.
     *
     * @return when the first of them was due, or empty if there is none, the rule has no slots, or nodes disagree about them
     */
    public Optional<Instant> passedOver() {
        return Optional.ofNullable(passedOver);
    }
}
