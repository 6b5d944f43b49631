package dev.joblock.engine;

import dev.joblock.Holder;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.LockLostException;
import dev.joblock.LockRequest;
import dev.joblock.LockStore;
import dev.joblock.StoreAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One lease of this node: its state and its deadline.
 *
 * <p>The deadline is the monotonic time before the last successful request was sent, plus the lease, less a margin: it is
 * over here before it is over in Redis. Where the wall clock has gone further than the monotonic one by more than the
 * margin, the machine was suspended, and the lease is not believed until a renewal confirms it.
 */
final class Lease implements JobLock {

    enum State {
        GRANTED,
        RUNNING,
        LOST,
        RELEASED,
        UNCLAIMED
    }

    /** What the lease needs of the engine. */
    interface Keeper {
        void kept(Lease lease);

        void started(Lease lease);

        /** The job's own work begins, on the calling thread. */
        void begun(Lease lease);

        void distrusted(Lease lease);

        /** Asks the store now; what is wrong, or null if the lease is held. */
        @Nullable
        String verified(Lease lease);

        void released(Lease lease, State before, @Nullable Throwable failure);

        void unclaimed(Lease lease);
    }

    private final LockStore store;
    private final String lockName;
    private final JobRun run;
    private final Holder holder;
    private final long token;
    private final Instant since;
    private final @Nullable Instant passedOver;
    private final boolean fixed;
    private final Interruption interruption;
    private final Keeper keeper;
    private final Time time;
    private final AtomicReference<State> state = new AtomicReference<>(State.GRANTED);
    private final AtomicInteger participants = new AtomicInteger(1);
    /** The participant that got the lease ends once, however often it says so. */
    private final AtomicBoolean ended = new AtomicBoolean();

    private final long grantedNanos;
    private volatile long heldNanos = -1;
    private volatile Validity validity;
    private volatile @Nullable Throwable failure;

    Lease(
            LockStore store,
            LockRequest request,
            StoreAnswer answer,
            Validity validity,
            boolean fixed,
            Interruption interruption,
            Keeper keeper,
            Time time) {
        this.store = store;
        this.lockName = request.lockName();
        this.run = request.run();
        this.holder = request.holder();
        this.token = answer.fencingToken();
        this.since = answer.since();
        this.passedOver = answer.passedOver().orElse(null);
        this.validity = validity;
        this.fixed = fixed;
        this.interruption = interruption;
        this.keeper = keeper;
        this.time = time;
        this.grantedNanos = time.nanos();
    }

    LockStore store() {
        return store;
    }

    /** From when on the slots before its own were granted to nobody; null if there are none. */
    @Nullable
    Instant passedOver() {
        return passedOver;
    }

    Interruption interruption() {
        return interruption;
    }

    State state() {
        return Objects.requireNonNull(state.get());
    }

    boolean isOver() {
        State now = state();
        return now != State.GRANTED && now != State.RUNNING;
    }

    Validity validity() {
        return validity;
    }

    void confirm(Validity confirmed) {
        this.validity = confirmed;
    }

    /** Whether it was taken by name: it is never renewed, and its end is no loss. */
    boolean isFixed() {
        return fixed;
    }

    /** Changes to lost, and tells so before a release can go on; without effect if the lease was over already. */
    synchronized void lose(Runnable tell) {
        if (state.compareAndSet(State.RUNNING, State.LOST) || state.compareAndSet(State.GRANTED, State.LOST)) {
            stopClock();
            tell.run();
        }
    }

    /** Another participant of the same run; null if it has ended. */
    @Nullable
    JoinedLock join() {
        for (int n = participants.get(); n > 0; n = participants.get()) {
            if (participants.compareAndSet(n, n + 1)) {
                return new JoinedLock(this);
            }
        }
        return null;
    }

    /** One participant has ended; the last one ends the lease. */
    void leave(@Nullable Throwable participantFailure) {
        if (participantFailure != null && failure == null) {
            failure = participantFailure;
        }
        if (participants.decrementAndGet() == 0) {
            interruption.end();
            State before = end();
            if (before != State.UNCLAIMED) {
                keeper.released(this, before, failure);
            }
        }
    }

    /** Changes to released what is not over yet; the state of before. */
    private synchronized State end() {
        State before = state();
        while ((before == State.GRANTED || before == State.RUNNING) && !state.compareAndSet(before, State.RELEASED)) {
            before = state();
        }
        if (before == State.GRANTED || before == State.RUNNING) {
            stopClock();
        }
        return before;
    }

    private void stopClock() {
        heldNanos = time.nanos() - grantedNanos;
    }

    @Override
    public JobRun run() {
        return run;
    }

    @Override
    public String lockName() {
        return lockName;
    }

    @Override
    public Holder holder() {
        return holder;
    }

    @Override
    public long fencingToken() {
        return token;
    }

    @Override
    public Instant since() {
        return since;
    }

    @Override
    public Duration heldFor() {
        long ended = heldNanos;
        return Duration.ofNanos(ended < 0 ? time.nanos() - grantedNanos : ended);
    }

    @Override
    public boolean isHeld() {
        Validity current = validity;
        if (isOver() || current.remaining(time) <= 0) {
            return false;
        }
        if (current.isSuspect(time)) {
            keeper.distrusted(this);
            return false;
        }
        return true;
    }

    @Override
    public void ensureHeld() {
        if (!isHeld()) {
            throw notHeld(state().name().toLowerCase(Locale.ROOT));
        }
    }

    @Override
    public void ensureHeld(boolean verify) {
        ensureHeld();
        String trouble = verify ? keeper.verified(this) : null;
        if (trouble != null) {
            throw notHeld(trouble);
        }
    }

    @Override
    public void interruptBy(Runnable action) {
        interruption.by(action);
    }

    @Override
    public void interrupt() {
        interruption.fire();
    }

    LockLostException notHeld(String why) {
        return new LockLostException(
                "Lock '" + lockName + "' of " + run + ", token " + token + ", is no longer held by " + holder.node()
                        + " (" + why + "); stop this run, another node may have begun");
    }

    @Override
    public void keep() {
        if (state() == State.GRANTED) {
            keeper.kept(this);
        }
    }

    /** The run has begun, and renewal with it, without effect once it has. */
    void start() {
        if (state.compareAndSet(State.GRANTED, State.RUNNING)) {
            keeper.started(this);
        }
    }

    @Override
    public void started() {
        start();
        if (state() == State.RUNNING || state() == State.LOST) {
            keeper.begun(this);
        }
    }

    @Override
    public void release() {
        release(null);
    }

    @Override
    public void release(@Nullable Throwable participantFailure) {
        if (ended.compareAndSet(false, true)) {
            leave(participantFailure);
        }
    }

    @Override
    public void unclaim() {
        if (state.compareAndSet(State.GRANTED, State.UNCLAIMED)) {
            stopClock();
            keeper.unclaimed(this);
        }
    }

    @Override
    public void close() {
        release(null);
    }

    @Override
    public String toString() {
        return "lock '" + lockName + "' of " + run + ", token " + token + ", " + state();
    }
}
