package dev.joblock.redis;

import dev.joblock.LockRequest;
import dev.joblock.StoreAnswer;
import dev.joblock.redis.Scenario.Actor;
import dev.joblock.redis.Scenario.Kind;
import dev.joblock.redis.World.Stored;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers calls on what a store holds: the rules in Java, or the scripts in a real Redis. */
interface Mechanism {

    /** Each call by itself, on its own stored record, at its own time. */
    List<Reply> answer(List<Call> calls);

    /** Whether a plain key stands beside the record, and must be held as well. */
    default boolean hasPlainKey() {
        return false;
    }

    default Reply answer(Call call) {
        return answer(List.of(call)).get(0);
    }

    /** One call of an actor. Its kind is one of ASK, RENEW, RELEASE, UNCLAIM, CANCEL, TAKE, FREE. */
    record Call(Kind kind, Actor actor, Stored stored, long now) {
        LockRequest request() {
            return new LockRequest("lock", actor.run(), actor.holder(), Scenario.LEASE, true);
        }

        String nonce() {
            return actor.holder().nonce();
        }
    }

    /** What was answered (to an ask, or to any other call), whether anything was written, and what the store holds now. */
    record Reply(@Nullable StoreAnswer answer, boolean yes, boolean wrote, Stored stored) {
        boolean isGrant() {
            return answer != null && answer.denial().isEmpty();
        }

        @Override
        public String toString() {
            if (answer == null) {
                return String.valueOf(yes);
            }
            return answer.denial().map(Object::toString).orElse("granted, token " + answer.fencingToken());
        }
    }
}
