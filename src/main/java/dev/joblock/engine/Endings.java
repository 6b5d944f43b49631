package dev.joblock.engine;

import dev.joblock.Holder;
import dev.joblock.LockStore;
import dev.joblock.StoreException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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
    private final Executor io;
    private final Timer timer;
    private final Time time;
    private final OpenWork open;
    private final Duration budget;

    Endings(Asks asks, Executor io, Timer timer, Time time, OpenWork open, Duration budget) {
        this.asks = asks;
        this.io = io;
        this.timer = timer;
        this.time = time;
        this.open = open;
        this.budget = budget;
    }

    /** Ends a lease; the answer, false if it was not ours any more, is handed on when the store has given it. */
    void end(Lease lease, boolean unclaim, Consumer<Boolean> answer) {
        LockStore store = lease.store();
        BooleanSupplier step = unclaim
                ? () -> store.unclaim(lease.lockName(), lease.holder())
                : () -> store.release(lease.lockName(), lease.holder());
        Ending ending = new Ending(
                unclaim ? "un-claim" : "release",
                lease.lockName(),
                step,
                answer,
                time.nanos() + lease.validity().remainingInStore(time));
        open.beginEnding(lease.lockName());
        try {
            boolean ours = asks.call(ending.what, budget.toNanos(), step::getAsBoolean);
            ending.done(ours);
        } catch (StoreException e) {
            ending.failed(e);
        }
    }

    /** Settles an acquisition whose answer is not known, in the background. */
    void cancel(LockStore store, String lockName, Holder holder) {
        BooleanSupplier step = () -> {
            store.cancel(lockName, holder);
            return true;
        };
        open.beginEnding(lockName);
        Ending ending = new Ending("cancel", lockName, step, ours -> {}, time.nanos() + CANCEL_TRIES.toNanos());
        io.execute(ending);
    }

    private final class Ending implements Runnable {
        private final String what;
        private final String lockName;
        private final BooleanSupplier step;
        private final Consumer<Boolean> answer;
        private final long end;
        private long delay = FIRST_DELAY;

        Ending(String what, String lockName, BooleanSupplier step, Consumer<Boolean> answer, long end) {
            this.what = what;
            this.lockName = lockName;
            this.step = step;
            this.answer = answer;
            this.end = end;
        }

        @Override
        public void run() {
            try {
                done(step.getAsBoolean());
            } catch (StoreException e) {
                failed(e);
            }
        }

        private void done(boolean ours) {
            open.endEnding(lockName);
            answer.accept(ours);
        }

        private void failed(StoreException e) {
            if (time.nanos() - end >= 0) {
                LOG.warn(
                        "Lock '{}': {} was not confirmed ({}); the lease is over by now",
                        lockName,
                        what,
                        e.getMessage());
                done(true);
                return;
            }
            LOG.debug("Lock '{}': {} failed and is repeated ({})", lockName, what, e.getMessage());
            timer.after(delay, () -> io.execute(this));
            delay = Math.min(2 * delay, LONGEST_DELAY);
        }
    }
}
