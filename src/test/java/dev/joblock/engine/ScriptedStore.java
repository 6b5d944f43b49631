package dev.joblock.engine;

import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.LockRequest;
import dev.joblock.LockStore;
import dev.joblock.StoreAnswer;
import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store whose answers and failures a test writes beforehand, for the engine's own rules about time. What it answers when
 * nothing is written: yes. Whether real stores answer so is shown by their contract, and with the engine in
 * {@code JobLockServiceIT}.
 */
final class ScriptedStore implements LockStore {
    static final Instant GRANTED_AT = Instant.ofEpochMilli(1_790_000_000_000L);

    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private final Deque<Supplier<@Nullable Object>> script = new ArrayDeque<>();
    private final AtomicLong token = new AtomicLong();
    private volatile @Nullable StoreException down;
    private volatile @Nullable Holder last;
    private volatile @Nullable LockRequest lastRequest;

    static StoreException fault(StoreFault fault, boolean maybeApplied) {
        return new StoreException(fault, maybeApplied, "p:job: " + fault, null);
    }

    /** The next call, whichever it is, answers this. */
    ScriptedStore then(Object answer) {
        script.add(() -> answer);
        return this;
    }

    /** The next call fails. */
    ScriptedStore thenFail(StoreFault fault, boolean maybeApplied) {
        script.add(() -> {
            throw fault(fault, maybeApplied);
        });
        return this;
    }

    /** Something happens during the next call, which then answers as if nothing was written. */
    ScriptedStore thenDo(Runnable step) {
        return thenDo(step, null);
    }

    /** Something happens during the next call, which then answers this. */
    ScriptedStore thenDo(Runnable step, @Nullable Object answer) {
        script.add(() -> {
            step.run();
            return answer;
        });
        return this;
    }

    /** All calls fail until {@link #recover}. */
    void fail(StoreFault fault, boolean maybeApplied) {
        down = fault(fault, maybeApplied);
    }

    void recover() {
        down = null;
    }

    /** What was asked since the last look, in order. */
    List<String> calls() {
        synchronized (calls) {
            List<String> seen = List.copyOf(calls);
            calls.clear();
            return seen;
        }
    }

    /** The holder of the last acquire. */
    @Nullable
    Holder last() {
        return last;
    }

    LockRequest lastRequest() {
        return Objects.requireNonNull(lastRequest, "nothing was asked");
    }

    @Override
    public StoreAnswer acquire(LockRequest request) {
        last = request.holder();
        lastRequest = request;
        Object answer =
                answer("acquire " + request.lockName() + " " + request.lease().toMillis());
        if (answer instanceof Denied denied) {
            return StoreAnswer.denied(denied);
        }
        return answer instanceof StoreAnswer given
                ? given
                : StoreAnswer.granted(token.incrementAndGet(), GRANTED_AT, null, false);
    }

    @Override
    public boolean renew(String lockName, Holder holder, Duration lease) {
        return yes(answer("renew " + lockName + " " + lease.toMillis()));
    }

    @Override
    public boolean release(String lockName, Holder holder) {
        return yes(answer("release " + lockName));
    }

    @Override
    public boolean unclaim(String lockName, Holder holder) {
        return yes(answer("unclaim " + lockName));
    }

    @Override
    public void cancel(String lockName, Holder holder) {
        answer("cancel " + lockName);
    }

    @Override
    public Instant time() {
        return GRANTED_AT;
    }

    private static boolean yes(@Nullable Object answer) {
        return !Boolean.FALSE.equals(answer);
    }

    private @Nullable Object answer(String call) {
        calls.add(call);
        StoreException failure = down;
        if (failure != null) {
            throw failure;
        }
        Supplier<@Nullable Object> next;
        synchronized (script) {
            next = script.poll();
        }
        return next == null ? null : next.get();
    }
}
