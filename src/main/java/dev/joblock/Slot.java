package dev.joblock;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One scheduled run of one trigger, named equally by every node.
 *
 * <p>A slot is known by its scheduled time and by the trigger's next fire time: after a misfire the scheduled time is
 * each node's own "now", the next fire time is equal everywhere. The definition tells apart two schedules that carry the
 * same trigger name, as they do while a changed schedule is rolled out node by node.
 *
 * <p>Times are instants with millisecond precision, never local texts, so that a repeated local hour gives two slots.
 * Immutable and thread-safe.
 */
public final class Slot {

    private static final Duration LEAST_ALLOWANCE = Duration.ofMillis(500);
    private static final Duration MOST_ALLOWANCE = Duration.ofSeconds(10);

    private final Instant scheduled;
    private final @Nullable Instant next;
    private final String definition;

    private Slot(Instant scheduled, @Nullable Instant next, String definition) {
        this.scheduled = scheduled;
        this.next = next;
        this.definition = definition;
        if (next != null && !next.isAfter(scheduled)) {
            throw new IllegalArgumentException(
                    "Slot scheduled at " + scheduled + " has its next fire at " + next + ", which is not after it");
        }
    }

    /**
     * A slot that another one follows.
     *
     * @param scheduled when the run is due
     * @param next the trigger's fire time after it
     * @param definition a text that is equal on all nodes with the same schedule, such as a hash of cron and zone
     * @return the slot
     * @throws IllegalArgumentException if {@code next} is not after {@code scheduled}
     */
    public static Slot of(Instant scheduled, Instant next, String definition) {
        return new Slot(scheduled, Objects.requireNonNull(next), definition);
    }

    /**
     * The last slot of a trigger.
     *
     * @param scheduled when the run is due; moved back to the end time if it is later, as after a misfire
     * @param end the trigger's end time, if it has one
     * @param definition a text that is equal on all nodes with the same schedule
     * @return the slot; nothing follows it before the end time
     */
    public static Slot last(Instant scheduled, @Nullable Instant end, String definition) {
        if (end == null) {
            return new Slot(scheduled, null, definition);
        }
        return new Slot(scheduled.isAfter(end) ? end : scheduled, end.plusMillis(1), definition);
    }

    /**
     * When the run is due.
     *
     * @return an instant
     */
    public Instant scheduled() {
        return scheduled;
    }

    /**
     * The trigger's fire time after this one.
     *
     * @return an instant, or empty if nothing ever follows
     */
    public Optional<Instant> next() {
        return Optional.ofNullable(next);
    }

    /**
     * The schedule that this slot comes from.
     *
     * @return a text that is equal on all nodes with the same schedule
     */
    public String definition() {
        return definition;
    }

    /**
     * How far this slot may lie ahead of Redis time before its node's clock is not believed: half the distance to the
     * next slot, at least 500 ms, at most 10 s.
     *
     * @return a positive duration
     */
    public Duration allowance() {
        if (next == null) {
            return MOST_ALLOWANCE;
        }
        Duration half = Duration.between(scheduled, next).dividedBy(2);
        if (half.compareTo(LEAST_ALLOWANCE) < 0) {
            return LEAST_ALLOWANCE;
        }
        return half.compareTo(MOST_ALLOWANCE) > 0 ? MOST_ALLOWANCE : half;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof Slot)) {
            return false;
        }
        Slot that = (Slot) other;
        return scheduled.equals(that.scheduled)
                && Objects.equals(next, that.next)
                && definition.equals(that.definition);
    }

    @Override
    public int hashCode() {
        return Objects.hash(scheduled, next, definition);
    }

    @Override
    public String toString() {
        return scheduled.toString();
    }
}
