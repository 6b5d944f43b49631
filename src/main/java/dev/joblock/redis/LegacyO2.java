package dev.joblock.redis;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.JobRun;
import dev.joblock.LegacyLock;
import dev.joblock.LockRequest;
import dev.joblock.RecordedRun;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The hand-written lock O2: one field that holds when it was written, free once it is older than its time-out. Our lock
 * remembers {@code written timeout}. Says the same as {@code legacy-o2.lua}.
 */
final class LegacyO2 extends LegacyBeside {

    /** By how much the old code's time-out is shorter than the time to the next fire, in ms. */
    private static final long LESS = 10;

    private final LegacyLock legacy;
    private final @Nullable String old;
    private long ttl;

    LegacyO2(LegacyLock legacy, String key, Map<String, String> fields) {
        super(key, fields);
        this.legacy = legacy;
        this.old = fields.get(legacy.field(0));
    }

    /** The time-out in ms; 0 if a run has no next fire to tell it from. */
    static long timeout(LegacyLock legacy, JobRun run) {
        if (legacy.timeout().isPresent()) {
            return legacy.timeout().get().toMillis();
        }
        long next = run.interval().toMillis();
        if (run.rule() == JobRun.Rule.SLOT) {
            long fire = Grants.next(run.slot().get());
            next = fire - run.slot().get().scheduled().toEpochMilli();
        }
        return Math.max(0, next - LESS);
    }

    @Override
    long ttl() {
        return ttl;
    }

    @Override
    @Nullable
    Denied decide(LockRecord record, LockRequest request, long now) {
        if (old == null) {
            return fields.isEmpty() ? null : strange("field", key, legacy.field(0));
        }
        if (isOurs(record)) {
            return null;
        }
        if (!isTime(old)) {
            return strange("field", key, legacy.field(0));
        }
        long since = Long.parseLong(old);
        long timeout = timeout(legacy, request.run());
        long ends = since + (timeout > 0 ? timeout : legacy.maxHold().toMillis());
        if (now > ends) {
            return null;
        }
        // Its nodes write it by the clock that fired the slot: it is this slot that it was written for.
        boolean thisSlot = request.run().rule() == JobRun.Rule.SLOT
                && since >= request.run().slot().get().scheduled().toEpochMilli();
        return thisSlot ? denied(DenialReason.TAKEN, since, null) : denied(DenialReason.HELD, since, ends);
    }

    @Override
    public @Nullable RecordedRun abandoned(LockRecord record, long now) {
        return null;
    }

    @Override
    public void take(LockRecord record, LockRequest request, long now, Change recordChange) {
        write(now + request.lease().toMillis(), timeout(legacy, request.run()), now, recordChange);
    }

    @Override
    public void keep(LockRecord record, Duration lease, long now, Change recordChange) {
        String[] written = remembered(record, 2);
        if (written != null && (old == null || isOurs(record))) {
            write(now + lease.toMillis(), LockRecord.number(written[1], 0), now, recordChange);
        }
    }

    @Override
    public void free(LockRecord record, boolean ended, long now, Change recordChange) {
        if (isOurs(record)) {
            change.remove(legacy.field(0));
        }
    }

    private boolean isOurs(LockRecord record) {
        String[] written = remembered(record, 2);
        return written != null && written[0].equals(old);
    }

    /** As old as it must be to be free when our lease ends, but never older than now: the time-out may be wrong. */
    private void write(long ends, long timeout, long now, Change recordChange) {
        long value = Math.max(now, ends - timeout);
        change.set(legacy.field(0), value);
        ttl = Math.max(1, value + timeout - now);
        recordChange.set(REMEMBERED, value + " " + timeout);
    }
}
