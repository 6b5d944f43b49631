package dev.joblock.engine;

import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Calls the store on another thread, so that the caller never waits longer than its budget, whatever time-outs the host's
 * connection factory has, and so that no transaction bound to the caller's thread is joined.
 */
final class Asks {

    /** How long a call that was broken off may take to say why it hung. */
    private static final long LAST_WORDS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Executor threads;

    Asks(Executor threads) {
        this.threads = threads;
    }

    /**
     * Calls within a budget. An interrupt of the caller does not end the wait, which is short, and its flag stays. After a
     * time-out the call goes on by itself and its outcome is unknown, unless it still waits for a connection: then it is
     * broken off.
     *
     * @throws StoreException if the call failed, did not end in time, or no thread was free
     */
    <T> T call(String what, long budgetNanos, Supplier<T> call) {
        if (budgetNanos <= 0) {
            throw new StoreException(StoreFault.TIMEOUT, false, what + ": no time was left to ask", null);
        }
        Ask<T> ask = new Ask<>(call);
        try {
            threads.execute(ask);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            throw new StoreException(StoreFault.SLOW, false, what + ": too many asks wait for the store already", e);
        }
        if (!ask.await(budgetNanos) && !(ask.breakOff() && ask.await(LAST_WORDS))) {
            long ms = TimeUnit.NANOSECONDS.toMillis(budgetNanos);
            throw new StoreException(
                    StoreFault.TIMEOUT, ask.isBegun(), what + ": no answer within " + ms + " ms", null);
        }
        return ask.answer(what);
    }
}
