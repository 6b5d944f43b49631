package dev.joblock.redis;

import dev.joblock.RecordedRun;
import dev.joblock.Slot;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a lane remembers: six words with spaces between them, {@code start next at token definition node}.
 *
 * <p>In a mark, {@code start} is the scheduled time of the last slot granted and {@code next} the fire time after it, or
 * -1 for never. In an interval, {@code start} is the last start (or end) and {@code next} the length of the interval. In
 * an owed slot, {@code start} is its scheduled time. {@code at} is when it was granted. All times in ms. Immutable.
 */
final class Mark {

    final long start;
    final long next;
    final long at;
    final long token;
    final String definition;
    final String node;

    Mark(long start, long next, long at, long token, String definition, String node) {
        this.start = start;
        this.next = next;
        this.at = at;
        this.token = token;
        this.definition = definition;
        this.node = node;
    }

    static @Nullable Mark parse(@Nullable String text) {
        String[] words = text == null ? new String[0] : text.split(" ", -1);
        if (words.length != 6) {
            return null;
        }
        return new Mark(
                LockRecord.number(words[0], 0),
                LockRecord.number(words[1], 0),
                LockRecord.number(words[2], 0),
                LockRecord.number(words[3], 0),
                words[4],
                words[5]);
    }

    /** Until when this is worth keeping, before the retention is added. */
    static long horizon(String field, Mark mark) {
        if (field.startsWith(LockRecord.MARK)) {
            return mark.next == LockRecord.NEVER ? mark.start : mark.next;
        }
        return field.startsWith(LockRecord.INTERVAL) ? mark.start + mark.next : mark.start;
    }

    /** How far ahead of Redis time this mark may have been granted, in ms: what its slot was allowed. */
    long allowance() {
        boolean isLast = next <= start;
        Instant scheduled = Instant.ofEpochMilli(start);
        Slot slot = isLast ? Slot.last(scheduled, null, "") : Slot.of(scheduled, Instant.ofEpochMilli(next), "");
        return slot.allowance().toMillis();
    }

    RecordedRun run(String lane, boolean slot, long now) {
        return new RecordedRun(
                Words.decode(node),
                lane,
                slot ? Instant.ofEpochMilli(start) : null,
                Instant.ofEpochMilli(Math.min(at, now)),
                token);
    }

    @Override
    public String toString() {
        return start + " " + next + " " + at + " " + token + " " + definition + " " + node;
    }
}
