package dev.joblock.redis;

import dev.joblock.Holder;
import dev.joblock.LockRequest;
import dev.joblock.StoreAnswer;
import dev.joblock.redis.World.Stored;
import java.util.List;

/** The rules in Java. Each may be overridden, to see what becomes of a rule that is wrong. */
class PureRules implements Mechanism {

    @Override
    public final List<Reply> answer(List<Call> calls) {
        return calls.stream().map(this::one).toList();
    }

    Step<StoreAnswer> acquire(LockRecord record, LockRequest request, long now) {
        return LockRules.acquire(record, request, now);
    }

    Step<Boolean> renew(LockRecord record, Holder holder, long now) {
        return LockRules.renew(record, holder, Scenario.LEASE, now);
    }

    Step<Boolean> release(LockRecord record, Holder holder, long now) {
        return LockRules.release(record, holder, now);
    }

    Step<Boolean> unclaim(LockRecord record, Holder holder, long now) {
        return LockRules.unclaim(record, holder, now);
    }

    Step<Boolean> cancel(LockRecord record, Holder holder, long now) {
        return LockRules.cancel(record, holder, now);
    }

    private Reply one(Call call) {
        LockRecord record = call.stored().record();
        Holder holder = call.actor().holder();
        return switch (call.kind()) {
            case ASK -> {
                Step<StoreAnswer> step = acquire(record, call.request(), call.now());
                yield new Reply(step.answer, false, !step.change.isEmpty(), after(call, step.change));
            }
            case RENEW -> reply(call, renew(record, holder, call.now()));
            case RELEASE -> reply(call, release(record, holder, call.now()));
            case UNCLAIM -> reply(call, unclaim(record, holder, call.now()));
            case CANCEL -> reply(call, cancel(record, holder, call.now()));
            default -> throw new IllegalArgumentException("no rule for " + call.kind());
        };
    }

    private static Reply reply(Call call, Step<Boolean> step) {
        return new Reply(null, step.answer, !step.change.isEmpty(), after(call, step.change));
    }

    private static Stored after(Call call, Change change) {
        Stored before = call.stored();
        return change.isEmpty() ? before : new Stored(change.applyTo(before.record()), "", 0);
    }
}
