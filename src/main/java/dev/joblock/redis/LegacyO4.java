package dev.joblock.redis;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.JobRun;
import dev.joblock.LegacyLock;
import dev.joblock.LockRequest;
import dev.joblock.RecordedRun;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The hand-written lock O4: a status and a time, held while the status is {@code true}, free once the time is older than the
 * interval less a sixtieth. Our lock remembers {@code written base before before-base}: the time we wrote, from when the
 * interval counts, and both as they were before. Says the same as {@code legacy-o4.lua}.
 */
final class LegacyO4 extends LegacyBeside {

    private final LegacyLock legacy;
    private final String lockName;
    private final @Nullable String status;
    private final @Nullable String time;
    private final long since;
    private final @Nullable String minutes;

    LegacyO4(LegacyLock legacy, String lockName, Map<String, String> fields, @Nullable String minutes) {
        super(legacy.key(lockName), fields);
        this.legacy = legacy;
        this.lockName = lockName;
        this.status = fields.get(legacy.field(0));
        this.time = fields.get(legacy.field(1));
        this.since = time == null ? 0 : LockRecord.number(time, 0);
        this.minutes = minutes;
    }

    @Override
    @Nullable
    Denied decide(LockRecord record, LockRequest request, long now) {
        if (!fields.isEmpty() && !"true".equals(status) && !"false".equals(status)) {
            return strange("field", key, legacy.field(0));
        }
        if (time != null && !isTime(time)) {
            return strange("field", key, legacy.field(1));
        }
        JobRun run = request.run();
        boolean thisSlot = !isOurs(record)
                && run.rule() == JobRun.Rule.SLOT
                && since >= run.slot().get().scheduled().toEpochMilli()
                && since <= now + LockRecord.CLOCK_SLACK;
        if ("true".equals(status) && !isOurs(record)) {
            if (isGivenUp(now)) {
                return null;
            }
            return thisSlot
                    ? denied(DenialReason.TAKEN, since, null)
                    : denied(DenialReason.HELD, since, since + legacy.maxHold().toMillis());
        }
        if (!movesInterval(run)) {
            return null;
        }
        // Its last run ended after this slot was due: it was this one, or kept it from its turn.
        return thisSlot ? denied(DenialReason.PASSED, since, null) : tooSoon(base(record), now);
    }

    private @Nullable Denied tooSoon(long base, long now) {
        long interval = interval();
        if (interval <= 0) {
            return strange("interval", legacy.intervalKey(lockName).orElse(""), legacy.intervalField());
        }
        boolean tooSoon = base <= now + LockRecord.CLOCK_SLACK && 60 * (now - base) <= 59 * interval;
        return tooSoon ? denied(DenialReason.TOO_SOON, base, base + interval) : null;
    }

    @Override
    public @Nullable RecordedRun abandoned(LockRecord record, long now) {
        boolean dead = "true".equals(status) && !isOurs(record) && isGivenUp(now);
        return dead ? new RecordedRun(abandonedNode(key), "", null, Instant.ofEpochMilli(since), 0) : null;
    }

    @Override
    public void take(LockRecord record, LockRequest request, long now, Change recordChange) {
        JobRun run = request.run();
        long base = base(record);
        long from = now;
        if (run.rule() == JobRun.Rule.SLOT) {
            from = Math.min(run.slot().get().scheduled().toEpochMilli(), now);
        } else if (!movesInterval(run)) {
            from = base;
        }
        remember(recordChange, now, from, since, baseBefore(record));
        write("true", now);
    }

    /** An old holder that was given up may come back and free it. */
    @Override
    public void keep(LockRecord record, Duration lease, long now, Change recordChange) {
        String[] words = remembered(record, 4);
        if (words != null && "false".equals(status)) {
            remember(recordChange, now, number(words[1]), number(words[2]), number(words[3]));
            write("true", now);
        }
    }

    @Override
    public void free(LockRecord record, boolean ended, long now, Change recordChange) {
        String[] words = remembered(record, 4);
        if (words == null || !isOurs(record) || !"true".equals(status)) {
            return;
        }
        String rule = record.text("rule");
        if (ended && !rule.equals("exclusive") && !rule.equals("owed")) {
            remember(recordChange, now, number(words[1]), now, number(words[1]));
            write("false", now);
            return;
        }
        if (words[2].equals(words[3])) {
            recordChange.set(REMEMBERED, "");
        } else {
            remember(recordChange, number(words[2]), number(words[3]), number(words[2]), number(words[3]));
        }
        write("false", number(words[2]));
    }

    /** A manual run, and one of an owed slot, moves no interval and waits for none. */
    private static boolean movesInterval(JobRun run) {
        return run.rule() == JobRun.Rule.SLOT || run.rule() == JobRun.Rule.INTERVAL;
    }

    private boolean isGivenUp(long now) {
        return now > since + legacy.maxHold().toMillis();
    }

    private boolean isOurs(LockRecord record) {
        String[] words = remembered(record, 4);
        return words != null && words[0].equals(time);
    }

    /** From when the interval counts: the time that stands there, unless we wrote it. */
    private long base(LockRecord record) {
        String[] words = remembered(record, 4);
        return words != null && words[0].equals(time) ? number(words[1]) : since;
    }

    /** The base that a run gives back with its time: a millisecond earlier where equal, since equal ones are a time not ours. */
    private long baseBefore(LockRecord record) {
        long base = base(record);
        return isOurs(record) && base == since ? base - 1 : base;
    }

    private long interval() {
        if (minutes != null && minutes.length() <= 9 && minutes.matches("[0-9]+\\.?[0-9]*")) {
            return (long) Math.floor(Double.parseDouble(minutes) * 60_000 + 0.5);
        }
        return legacy.interval().map(Duration::toMillis).orElse(0L);
    }

    private static long number(String word) {
        return LockRecord.number(word, 0);
    }

    private static void remember(Change change, long written, long base, long before, long beforeBase) {
        change.set(REMEMBERED, written + " " + base + " " + before + " " + beforeBase);
    }

    private void write(String newStatus, long newTime) {
        change.set(legacy.field(0), newStatus).set(legacy.field(1), newTime);
    }
}
