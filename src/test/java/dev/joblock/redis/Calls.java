package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockRequest;
import dev.joblock.LockStore;
import dev.joblock.StoreAnswer;
import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** The calls of a store, and how each says that the store cannot do it. */
final class Calls {

    /** What a store said instead of an answer, by an exception or by a denial. */
    record Refusal(StoreFault fault, boolean maybeApplied, String text) {}

    private Calls() {}

    /** Every call that is about one lock, on behalf of one holder. */
    static Map<String, ThrowingCallable> all(LockStore store, JobRun run, Holder holder) {
        String lock = run.lockName();
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("acquire", () -> refusedOrThrow(acquire(store, run, holder)));
        calls.put("renew", () -> store.renew(lock, holder, Asks.LEASE));
        calls.put("release", () -> store.release(lock, holder));
        calls.put("unclaim", () -> store.unclaim(lock, holder));
        calls.put("cancel", () -> store.cancel(lock, holder));
        return calls;
    }

    /** What an ask was refused with; fails if it was answered. */
    static Refusal refusal(LockStore store, JobRun run) {
        return Objects.requireNonNull(
                refusalOf(() -> refusedOrThrow(acquire(store, run, Asks.holder("n1")))), "refusal");
    }

    /** What a call was refused with, or null if it was done; fails if it threw anything but a StoreException. */
    static @Nullable Refusal refusalOf(ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        if (thrown == null) {
            return null;
        }
        if (thrown instanceof DeniedByFault denied) {
            return new Refusal(denied.fault, false, denied.text);
        }
        assertThat(thrown).isInstanceOf(StoreException.class);
        StoreException failure = (StoreException) thrown;
        return new Refusal(failure.fault(), failure.isMaybeApplied(), String.valueOf(failure.getMessage()));
    }

    static StoreAnswer acquire(LockStore store, JobRun run, Holder holder) {
        return store.acquire(new LockRequest(run.lockName(), run, holder, Asks.LEASE, true));
    }

    private static void refusedOrThrow(StoreAnswer answer) {
        Optional<Denied> denied = answer.denial();
        if (denied.isPresent() && denied.get().fault().isPresent()) {
            throw new DeniedByFault(denied.get());
        }
    }

    private static final class DeniedByFault extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final StoreFault fault;
        private final String text;

        DeniedByFault(Denied denied) {
            this.fault = denied.fault().orElseThrow();
            this.text = denied.toString();
        }
    }
}
