package dev.joblock.engine;

import dev.joblock.Holder;
import dev.joblock.LockStore;
import dev.joblock.StoreException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends leases in the store: release, un-claim, cancel. The first try is made while the caller waits, for no longer than
 * the ask budget; what fails is repeated in the background until the store has confirmed it or the lease is over there.
 */
final class Endings {

    private static final Logger LOG = LoggerFactory.getLogger(Endings.class);
    private static final Duration CANCEL_TRIES = Duration.ofMinutes(10);
    private static final long FIRST_DELAY = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_DELAY = TimeUnit.MILLISECONDS.toNanos(500);

    private final Asks asks;
    private final Asks ioCalls;
    private final Executor io;
    private final Timer timer;
    private final Time time;
    private final OpenWork open;
    private final long budget;

    Endings(Threads threads, Time time, OpenWork open, Duration budget) {
        this.asks = new Asks(threads.asks(), time);
        this.ioCalls = new Asks(threads.ioCalls(), time);
        this.io = threads.io();
        this.timer = threads;
        this.time = time;
        this.open = open;
        this.budget = budget.toNanos();
    }

    /**
     * Ends a lease; the answer, false if it is certain that it was not ours any more, is handed on when the store has given
     * it.
     */
    void end(Lease lease, boolean unclaim, Consumer<Boolean> answer) {
        LockStore store = lease.store();
        Supplier<Boolean> step = unclaim
                ? () -> store.unclaim(lease.lockName(), lease.holder())
                : () -> store.release(lease.lockName(), lease.holder());
        Ending ending = new Ending(
                unclaim ? "un-claim" : "release",
                lease.lockName(),
                step,
                answer,
                time.nanos() + lease.validity().remainingInStore(time));
        open.beginEnding(lease);
        ending.attempt(asks);
    }

    /** Settles an acquisition whose answer is not known, in the background; why it is not known, where that was a failure. */
    void cancel(LockStore store, String lockName, Holder holder, @Nullable StoreException why) {
        Supplier<Boolean> step = () -> {
            store.cancel(lockName, holder);
            return true;
        };
        open.beginEnding(lockName);
        if (why != null) {
            open.failEnding(lockName, why);
        }
        Ending ending = new Ending("cancel", lockName, step, ours -> {}, time.nanos() + CANCEL_TRIES.toNanos());
        io.execute(ending);
    }

    private final class Ending implements Runnable {
        private final String what;
        private final String lockName;
        private final Supplier<Boolean> step;
        private final Consumer<Boolean> answer;
        private final long end;
        private long delay = FIRST_DELAY;
        /** An earlier try may have been carried out, so that a "no" may be its doing. */
        private boolean maybeDone;

        Ending(String what, String lockName, Supplier<Boolean> step, Consumer<Boolean> answer, long end) {
            this.what = what;
            this.lockName = lockName;
            this.step = step;
            this.answer = answer;
            this.end = end;
        }

        @Override
        public void run() {
            attempt(ioCalls);
        }

        void attempt(Asks calls) {
            boolean ours;
            try {
                ours = calls.call(what + " '" + lockName + "'", budget, step, this::noteFailure);
            } catch (StoreException e) {
                failed(e);
                return;
            }
            done(ours || maybeDone);
        }

        private void done(boolean ours) {
            open.endEnding(lockName);
            answer.accept(ours);
        }

        private void noteFailure(StoreException e) {
            maybeDone |= e.isMaybeApplied();
        }

        private void failed(StoreException e) {
            noteFailure(e);
            if (time.nanos() - end >= 0) {
                LOG.warn(
                        "Lock '{}': {} was not confirmed ({}); the lease is over by now",
                        lockName,
                        what,
                        e.getMessage());
                done(true);
                return;
            }
            open.failEnding(lockName, e);
            LOG.debug("Lock '{}': {} failed and is repeated ({})", lockName, what, e.getMessage());
            timer.after(delay, () -> io.execute(this));
            delay = Math.min(2 * delay, LONGEST_DELAY);
        }
    }
}
