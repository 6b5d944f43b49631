package dev.joblock.redis;

import dev.joblock.RecordedRun;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The record of one lock name, as it stands in a Redis hash.
 *
 * <p>Fields: {@code v} layout version · {@code status} whether a run goes on ({@code true}, {@code false}) · {@code time}
 * when it was granted (ms) · {@code token} · {@code owner} the nonce · {@code node} · {@code until} end of the lease (ms)
 * · {@code lease} its length (ms) · {@code rule}, {@code lane}, {@code slot} of the run (rule {@code none}: taken back) · {@code prev} what an un-claim
 * restores · {@code took} the run that was taken over. For each lane: <code>m:</code> the mark, <code>i:</code> the last
 * start of an interval, <code>o:</code> the owed slot. For each cancelled ask: <code>x:</code> its tombstone. The fields
 * {@code owner}, {@code node}, … stay after a run has ended and name the last one.
 *
 * <p>Immutable; reads what it can't parse as absent.
 */
final class LockRecord {

    static final int LAYOUT = 1;
    static final long NEVER = -1;
    /** A step of the server's clock that is no longer than this is taken for none. */
    static final long CLOCK_SLACK = 1_000;

    static final String MARK = "m:";
    static final String INTERVAL = "i:";
    static final String OWED = "o:";
    static final String TOMBSTONE = "x:";

    private final Map<String, String> fields;

    LockRecord(Map<String, String> fields) {
        this.fields = Collections.unmodifiableMap(new HashMap<>(fields));
    }

    Map<String, String> fields() {
        return fields;
    }

    String text(String field) {
        return fields.getOrDefault(field, "");
    }

    long number(String field) {
        return number(text(field), 0);
    }

    /** Whether this version may write to it: there is none yet, or it is of our layout. */
    boolean isOurs() {
        return fields.isEmpty() || number("v") == LAYOUT;
    }

    boolean isRunning() {
        return text("status").equals("true");
    }

    /**
     * The end of the lease. One that lies further ahead than a whole lease comes from before the server's clock was set back,
     * and is moved to one lease from now.
     */
    long until(long now) {
        long until = number("until");
        return until > now + number("lease") + CLOCK_SLACK ? now + number("lease") : until;
    }

    boolean isLive(long now) {
        return isRunning() && until(now) > now;
    }

    boolean isOwner(String nonce) {
        return text("owner").equals(nonce);
    }

    @Nullable
    Mark mark(String lane) {
        return Mark.parse(fields.get(MARK + lane));
    }

    @Nullable
    Mark interval(String lane) {
        return Mark.parse(fields.get(INTERVAL + lane));
    }

    @Nullable
    Mark owed(String lane) {
        return Mark.parse(fields.get(OWED + lane));
    }

    /** The run that goes on, or the last one. */
    RecordedRun run(long now) {
        String slot = text("slot");
        return new RecordedRun(
                text("node"),
                text("lane"),
                slot.isEmpty() ? null : Instant.ofEpochMilli(number(slot, 0)),
                Instant.ofEpochMilli(Math.min(number("time"), now)),
                number("token"));
    }

    static long number(String text, long otherwise) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
