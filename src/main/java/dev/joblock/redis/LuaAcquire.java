package dev.joblock.redis;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.JobRun;
import dev.joblock.LockRequest;
import dev.joblock.RecordedRun;
import dev.joblock.Slot;
import dev.joblock.StoreAnswer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a request is handed to {@code acquire.lua} and its answer read. */
final class LuaAcquire {

    private LuaAcquire() {}

    /** The script's arguments. */
    static byte[][] arguments(LockRequest request) {
        return arguments(request, new String[0]);
    }

    /** The script's arguments, and more at their end. */
    static byte[][] arguments(LockRequest request, String[] more) {
        JobRun run = request.run();
        Optional<Slot> slot = run.slot();
        long allowance = request.isClockTrusted()
                ? slot.map(s -> s.allowance().toMillis()).orElse(-1L)
                : -1L;
        String[] texts = {
            request.holder().nonce(),
            request.holder().node(),
            Long.toString(request.lease().toMillis()),
            Grants.rule(run),
            run.lane(),
            Long.toString(slot.map(s -> s.scheduled().toEpochMilli()).orElse(0L)),
            Long.toString(slot.map(Grants::next).orElse(LockRecord.NEVER)),
            Words.encode(slot.map(Slot::definition).orElse("")),
            Long.toString(allowance),
            Long.toString(run.interval().toMillis())
        };
        return LuaStore.bytes(LuaStore.concat(texts, more));
    }

    static StoreAnswer answer(LockRequest request, List<?> reply) {
        String lane = request.run().lane();
        switch (text(reply, 0)) {
            case "granted":
                return StoreAnswer.granted(
                                number(reply, 1), instant(reply, 2), TakenOver.parse(text(reply, 4)), flag(reply, 3))
                        .withPassedOver(text(reply, 5).isEmpty() ? null : instant(reply, 5));
            case "held":
                String slot = text(reply, 3);
                Instant scheduled = slot.isEmpty() ? null : instant(reply, 3);
                RecordedRun run =
                        new RecordedRun(text(reply, 1), text(reply, 2), scheduled, instant(reply, 4), number(reply, 5));
                return denied(DenialReason.HELD, run, instant(reply, 6), false);
            case "taken":
                return denied(DenialReason.TAKEN, marked(lane, reply), null, flag(reply, 5));
            case "passed":
                return denied(DenialReason.PASSED, marked(lane, reply), null, flag(reply, 5));
            case "soon":
                RecordedRun last =
                        new RecordedRun(Words.decode(text(reply, 1)), lane, null, instant(reply, 2), number(reply, 3));
                return denied(DenialReason.TOO_SOON, last, instant(reply, 4), false);
            case "outside":
                return StoreAnswer.denied(
                        Denied.byOutsider(text(reply, 1), number(reply, 2) < 0 ? null : instant(reply, 2)));
            case "legacy":
                return StoreAnswer.denied(Denied.byLegacy(
                        DenialReason.valueOf(text(reply, 1)),
                        text(reply, 2),
                        instant(reply, 3),
                        text(reply, 4).isEmpty() ? null : instant(reply, 4)));
            case "strange":
                return StoreAnswer.denied(LegacyBeside.strange(text(reply, 1), text(reply, 2), text(reply, 3)));
            case "ahead":
                return StoreAnswer.denied(Denied.clockAhead(
                        instant(reply, 1), request.run().slot().get().scheduled()));
            case "notowed":
                return StoreAnswer.denied(
                        Denied.notOwed(request.run().slot().get().scheduled()));
            case "foreign":
                return StoreAnswer.denied(LockRules.foreign(request.lockName()));
            case "layout":
                return StoreAnswer.denied(LockRules.unknownLayout(request.lockName(), number(reply, 1)));
            default:
                return StoreAnswer.denied(LockRules.givenUp());
        }
    }

    private static StoreAnswer denied(
            DenialReason reason, RecordedRun other, @Nullable Instant until, boolean otherDefinition) {
        return StoreAnswer.denied(Denied.by(reason, other, until, otherDefinition));
    }

    private static RecordedRun marked(String lane, List<?> reply) {
        return new RecordedRun(
                Words.decode(text(reply, 1)), lane, instant(reply, 2), instant(reply, 3), number(reply, 4));
    }

    private static String text(List<?> reply, int i) {
        return RedisCalls.text((byte[]) reply.get(i));
    }

    private static long number(List<?> reply, int i) {
        return LockRecord.number(text(reply, i), 0);
    }

    private static Instant instant(List<?> reply, int i) {
        return Instant.ofEpochMilli(number(reply, i));
    }

    private static boolean flag(List<?> reply, int i) {
        return text(reply, i).equals("1");
    }
}
