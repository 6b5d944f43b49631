package dev.joblock.redis;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockRequest;
import dev.joblock.RecordedRun;
import dev.joblock.Slot;
import dev.joblock.StoreAnswer;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * By which rules a record changes: pure functions of record, request and Redis time. The Lua scripts say the same; a test
 * runs both on many thousands of random records.
 */
final class LockRules {

    private LockRules() {}

    /** Grants or denies; writes nothing on a denial but the end of a lease that a stepped clock had moved away. */
    static Step<StoreAnswer> acquire(LockRecord record, LockRequest request, long now) {
        return acquire(record, request, now, Beside.NOTHING);
    }

    /** The same, where something stands beside the record. */
    static Step<StoreAnswer> acquire(LockRecord record, LockRequest request, long now, Beside beside) {
        Denied unreadable = unreadable(record, request);
        if (unreadable != null) {
            return new Step<>(StoreAnswer.denied(unreadable), new Change());
        }
        String nonce = request.holder().nonce();
        if (record.isOwner(nonce) && record.isLive(now)) {
            return new Step<>(repeated(record), new Change());
        }
        if (record.isOwner(nonce) || record.fields().containsKey(LockRecord.TOMBSTONE + nonce)) {
            return new Step<>(StoreAnswer.denied(givenUp()), new Change());
        }
        Change change = new Change();
        Denied denied = ruleDenies(record, request, now, change);
        if (denied == null && record.isLive(now)) {
            long until = record.until(now);
            if (until < record.number("until")) {
                change.set("until", until);
            }
            denied = Denied.by(DenialReason.HELD, record.run(now), Instant.ofEpochMilli(until), false);
        }
        if (denied != null) {
            return new Step<>(StoreAnswer.denied(denied), change);
        }
        denied = beside.denies(record, request, now);
        return denied != null
                ? new Step<>(StoreAnswer.denied(denied), new Change())
                : Grants.grant(record, request, now, beside);
    }

    /** Moves the end of a living lease; a dead one is never made anew. */
    static Step<Boolean> renew(LockRecord record, Holder holder, Duration lease, long now) {
        return renew(record, holder, lease, now, Beside.NOTHING);
    }

    static Step<Boolean> renew(LockRecord record, Holder holder, Duration lease, long now, Beside beside) {
        boolean held = record.isOurs() && record.isOwner(holder.nonce()) && record.isLive(now);
        Change change = new Change();
        if (held) {
            change.set("until", now + lease.toMillis()).set("lease", lease.toMillis());
            beside.keep(record, lease, now, change);
        }
        return new Step<>(held, change);
    }

    /** Ends the holder's run and keeps its mark. Asked again, as after an answer that was lost, it says yes again. */
    static Step<Boolean> release(LockRecord record, Holder holder, long now) {
        return release(record, holder, now, Beside.NOTHING);
    }

    static Step<Boolean> release(LockRecord record, Holder holder, long now, Beside beside) {
        boolean owner = record.isOurs() && record.isOwner(holder.nonce());
        Change change = new Change();
        if (owner && record.isRunning()) {
            change.set("status", "false").set("until", now);
            beside.free(record, true, now, change);
            Mark last = record.interval(record.text("lane"));
            if (record.text("rule").equals("interval-end") && last != null) {
                Mark ended = new Mark(now, last.next, last.at, last.token, last.definition, last.node);
                change.set(LockRecord.INTERVAL + record.text("lane"), ended.toString());
            }
        }
        return new Step<>(owner && !record.text("rule").equals("none"), change);
    }

    /** Takes the holder's grant back: restores what its lane remembered before. The token stays. */
    static Step<Boolean> unclaim(LockRecord record, Holder holder, long now) {
        return unclaim(record, holder, now, Beside.NOTHING);
    }

    static Step<Boolean> unclaim(LockRecord record, Holder holder, long now, Beside beside) {
        boolean running = record.isOurs() && record.isOwner(holder.nonce()) && record.isRunning();
        Change change = new Change();
        if (running) {
            change.set("status", "false").set("until", now).set("rule", "none");
            beside.free(record, false, now, change);
            String lane = record.text("lane");
            String before = record.text("prev");
            switch (record.text("rule")) {
                case "slot":
                    restore(change, LockRecord.MARK + lane, record.mark(lane), record.number("token"), before);
                    break;
                case "interval":
                case "interval-end":
                    restore(change, LockRecord.INTERVAL + lane, record.interval(lane), record.number("token"), before);
                    break;
                case "owed":
                    Mark newer = record.owed(lane);
                    Mark owed = Mark.parse(before);
                    if (owed != null && (newer == null || newer.start < owed.start)) {
                        change.set(LockRecord.OWED + lane, before);
                    }
                    break;
                default:
                    break;
            }
        }
        return new Step<>(running, change);
    }

    /** Un-claims, and leaves a tombstone for an ask that has not arrived yet: there may be one more on its way. */
    static Step<Boolean> cancel(LockRecord record, Holder holder, long now) {
        return cancel(record, holder, now, Beside.NOTHING);
    }

    static Step<Boolean> cancel(LockRecord record, Holder holder, long now, Beside beside) {
        Step<Boolean> unclaimed = unclaim(record, holder, now, beside);
        if (record.isOurs()) {
            unclaimed.change.set(LockRecord.TOMBSTONE + holder.nonce(), now + Retention.TOMBSTONE_LIFE);
            if (record.fields().isEmpty()) {
                unclaimed.change.set("v", LockRecord.LAYOUT);
            }
        }
        return unclaimed;
    }

    private static void restore(Change change, String field, @Nullable Mark mark, long token, String before) {
        if (mark == null || mark.token != token) {
            return;
        }
        if (before.isEmpty()) {
            change.remove(field);
        } else {
            change.set(field, before);
        }
    }

    private static @Nullable Denied unreadable(LockRecord record, LockRequest request) {
        if (record.isOurs()) {
            return null;
        }
        long layout = record.number("v");
        return layout <= 0 ? foreign(request.lockName()) : unknownLayout(request.lockName(), layout);
    }

    static Denied foreign(String lockName) {
        return Denied.storeDown(
                StoreFault.FOREIGN_VALUE,
                "the key of lock '" + lockName
                        + "' is a hash that is no lock record; choose another prefix or lock name");
    }

    static Denied unknownLayout(String lockName, long layout) {
        return Denied.storeDown(
                StoreFault.UNKNOWN_LAYOUT,
                "the record of lock '" + lockName + "' has layout " + layout + ", this version knows "
                        + LockRecord.LAYOUT + "; upgrade this node");
    }

    static Denied givenUp() {
        return Denied.storeDown(StoreFault.TIMEOUT, "the ask was given up before it arrived");
    }

    private static StoreAnswer repeated(LockRecord record) {
        Instant since = Instant.ofEpochMilli(record.number("time"));
        RecordedRun abandoned = TakenOver.parse(record.text("took"));
        StoreAnswer answer = StoreAnswer.granted(record.number("token"), since, abandoned, false);
        return record.text("rule").equals("slot")
                ? answer.withPassedOver(
                        Grants.passedOver(Mark.parse(record.text("prev")), record.mark(record.text("lane"))))
                : answer;
    }

    private static @Nullable Denied ruleDenies(LockRecord record, LockRequest request, long now, Change change) {
        JobRun run = request.run();
        switch (run.rule()) {
            case SLOT:
                return slotDenies(record, request, run.slot().get(), now);
            case OWED:
                return owedDenies(record, run, now);
            case INTERVAL:
                return intervalDenies(record, run, now, change);
            default:
                return null;
        }
    }

    private static @Nullable Denied slotDenies(LockRecord record, LockRequest request, Slot slot, long now) {
        long scheduled = slot.scheduled().toEpochMilli();
        long latest = now + slot.allowance().toMillis();
        if (request.isClockTrusted() && scheduled > latest) {
            return Denied.clockAhead(Instant.ofEpochMilli(now), slot.scheduled());
        }
        Mark mark = record.mark(request.run().lane());
        if (mark == null || (request.isClockTrusted() && !isBelieved(mark, slot, now))) {
            return null;
        }
        boolean sameDefinition = mark.definition.equals(Words.encode(slot.definition()));
        boolean free =
                sameDefinition ? mark.next != LockRecord.NEVER && scheduled >= mark.next : scheduled > mark.start;
        if (free) {
            return null;
        }
        boolean sameSlot = mark.start == scheduled || (sameDefinition && mark.next == Grants.next(slot));
        RecordedRun other = mark.run(request.run().lane(), true, now);
        return Denied.by(sameSlot ? DenialReason.TAKEN : DenialReason.PASSED, other, null, !sameDefinition);
    }

    /**
     * A mark that lies further ahead than it can have been granted comes from before the server's clock was set back. What it
     * was allowed may be more than what this slot is.
     */
    private static boolean isBelieved(Mark mark, Slot slot, long now) {
        long allowance = Math.max(slot.allowance().toMillis(), mark.allowance());
        return mark.start <= now + allowance + LockRecord.CLOCK_SLACK;
    }

    private static @Nullable Denied owedDenies(LockRecord record, JobRun run, long now) {
        long scheduled = run.slot().get().scheduled().toEpochMilli();
        Mark owed = record.owed(run.lane());
        boolean recorded = record.isRunning()
                && record.text("lane").equals(run.lane())
                && record.text("slot").equals(Long.toString(scheduled));
        if (recorded || (owed != null && owed.start == scheduled)) {
            return null;
        }
        Mark mark = record.mark(run.lane());
        if (mark == null) {
            return Denied.notOwed(run.slot().get().scheduled());
        }
        DenialReason reason = mark.start == scheduled ? DenialReason.TAKEN : DenialReason.PASSED;
        return Denied.by(reason, mark.run(run.lane(), true, now), null, false);
    }

    private static @Nullable Denied intervalDenies(LockRecord record, JobRun run, long now, Change change) {
        Mark last = record.interval(run.lane());
        if (last == null) {
            return null;
        }
        long interval = run.interval().toMillis();
        long tolerance = Grants.tolerance(interval);
        long start = last.start;
        if (start > now + tolerance + LockRecord.CLOCK_SLACK) {
            start = now;
            Mark healed = new Mark(now, last.next, last.at, last.token, last.definition, last.node);
            change.set(LockRecord.INTERVAL + run.lane(), healed.toString());
        }
        if (now >= start + interval - tolerance) {
            return null;
        }
        return Denied.by(
                DenialReason.TOO_SOON, last.run(run.lane(), false, now), Instant.ofEpochMilli(start + interval), false);
    }
}
