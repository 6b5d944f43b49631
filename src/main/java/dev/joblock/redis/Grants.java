package dev.joblock.redis;

import dev.joblock.JobRun;
import dev.joblock.LockRequest;
import dev.joblock.RecordedRun;
import dev.joblock.Slot;
import dev.joblock.StoreAnswer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a grant writes. Part of {@link LockRules}, reached only where nothing denies. */
final class Grants {

    private static final Instant LATEST = Instant.ofEpochMilli(1L << 53);

    private Grants() {}

    static Step<StoreAnswer> grant(LockRecord record, LockRequest request, long now, Beside beside) {
        JobRun run = request.run();
        long token = Math.max(record.number("token") + 1, now);
        String node = Words.encode(request.holder().node());
        Change change = new Change();
        RecordedRun abandoned = takeOver(record, run, now, change);
        if (abandoned == null) {
            abandoned = beside.abandoned(record, now);
        }
        change.set("prev", remember(record, run, now, token, node, change));
        long lease = request.lease().toMillis();
        change.set("v", LockRecord.LAYOUT)
                .set("status", "true")
                .set("time", now)
                .set("token", token)
                .set("owner", request.holder().nonce())
                .set("node", request.holder().node())
                .set("until", now + lease)
                .set("lease", lease)
                .set("rule", rule(run))
                .set("lane", run.lane())
                .set(
                        "slot",
                        run.slot()
                                .map(s -> Long.toString(s.scheduled().toEpochMilli()))
                                .orElse(""))
                .set("took", TakenOver.format(abandoned));
        Retention.dropOld(record, run.lane(), now, change);
        beside.take(record, request, now, change);
        boolean isSlot = run.rule() == JobRun.Rule.SLOT;
        Mark before = isSlot ? record.mark(run.lane()) : null;
        boolean otherDefinition = isSlot && differs(before, run.slot().get());
        Mark granted = isSlot ? Mark.parse(change.toSet().get(LockRecord.MARK + run.lane())) : null;
        StoreAnswer answer = StoreAnswer.granted(token, Instant.ofEpochMilli(now), abandoned, otherDefinition)
                .withPassedOver(passedOver(before, granted));
        return new Step<>(answer, change);
    }

    static String rule(JobRun run) {
        switch (run.rule()) {
            case SLOT:
                return "slot";
            case OWED:
                return "owed";
            case INTERVAL:
                return run.isCountedFromEnd() ? "interval-end" : "interval";
            default:
                return "exclusive";
        }
    }

    /** A fire beyond what a number of a script holds exactly is none, such as that after an end time of Long.MAX_VALUE. */
    static long next(Slot slot) {
        return slot.next().filter(LATEST::isAfter).map(Instant::toEpochMilli).orElse(LockRecord.NEVER);
    }

    static long tolerance(long interval) {
        return Math.max(interval / 60, 50);
    }

    /**
     * The first slot between two marks of a lane, the second of which followed the first. Each mark names the slot after its own, so
     * that what lies between was granted to nobody.
     */
    static @Nullable Instant passedOver(@Nullable Mark before, @Nullable Mark mark) {
        if (before == null || mark == null || !before.definition.equals(mark.definition)) {
            return null;
        }
        boolean leftOut = before.next != LockRecord.NEVER && mark.start > before.next;
        return leftOut ? Instant.ofEpochMilli(before.next) : null;
    }

    private static boolean differs(@Nullable Mark mark, Slot slot) {
        return mark != null && !mark.definition.equals(Words.encode(slot.definition()));
    }

    /** A run whose lease is dead becomes owed, unless it is the very run that is granted again. */
    private static @Nullable RecordedRun takeOver(LockRecord record, JobRun run, long now, Change change) {
        if (!record.isRunning()) {
            return null;
        }
        RecordedRun dead = record.run(now);
        if (dead.scheduled().isPresent() && !isAskedFor(dead, run)) {
            Mark owed = record.owed(dead.lane());
            long start = dead.scheduled().get().toEpochMilli();
            if (owed == null || owed.start <= start) {
                change.set(LockRecord.OWED + dead.lane(), owedMark(record, now).toString());
            }
        }
        return dead;
    }

    private static boolean isAskedFor(RecordedRun dead, JobRun run) {
        return run.rule() == JobRun.Rule.OWED
                && dead.lane().equals(run.lane())
                && dead.scheduled().equals(run.slot().map(Slot::scheduled));
    }

    private static Mark owedMark(LockRecord record, long now) {
        return new Mark(
                record.number("slot"),
                0,
                Math.min(record.number("time"), now),
                record.number("token"),
                "%",
                Words.encode(record.text("node")));
    }

    /** Moves what the lane remembers; returns what an un-claim restores. */
    private static String remember(LockRecord record, JobRun run, long now, long token, String node, Change change) {
        String lane = run.lane();
        switch (run.rule()) {
            case SLOT:
                Slot slot = run.slot().get();
                Mark mark = new Mark(
                        slot.scheduled().toEpochMilli(), next(slot), now, token, Words.encode(slot.definition()), node);
                change.set(LockRecord.MARK + lane, mark.toString());
                return record.text(LockRecord.MARK + lane);
            case INTERVAL:
                long interval = run.interval().toMillis();
                Mark last = new Mark(start(record, run, now), interval, now, token, "%", node);
                change.set(LockRecord.INTERVAL + lane, last.toString());
                return record.text(LockRecord.INTERVAL + lane);
            case OWED:
                return redeem(record, run, now, change);
            default:
                return "";
        }
    }

    /** Takes the owed slot out; a run whose lease is dead counts as owed. */
    private static String redeem(LockRecord record, JobRun run, long now, Change change) {
        Mark owed = record.owed(run.lane());
        long scheduled = run.slot().get().scheduled().toEpochMilli();
        if (owed == null || owed.start != scheduled) {
            return owedMark(record, now).toString();
        }
        if (!change.toSet().containsKey(LockRecord.OWED + run.lane())) {
            change.remove(LockRecord.OWED + run.lane());
        }
        return owed.toString();
    }

    /** The last start advances by whole intervals while runs are on time, so that it does not drift. */
    private static long start(LockRecord record, JobRun run, long now) {
        Mark last = record.interval(run.lane());
        long interval = run.interval().toMillis();
        if (last == null || run.isCountedFromEnd() || last.start > now + tolerance(interval) + LockRecord.CLOCK_SLACK) {
            return now;
        }
        long nominal = last.start + interval;
        return 2 * (now - nominal) < interval ? nominal : now;
    }
}
