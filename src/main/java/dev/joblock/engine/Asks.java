package dev.joblock.engine;

import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Calls the store on another thread, so that the caller never waits longer than its budget, whatever time-outs the host's
 * connection factory has, and so that no transaction bound to the caller's thread is joined.
 */
final class Asks {

    /** How long a call that was broken off may take to say why it hung. */
    private static final long LAST_WORDS = TimeUnit.MILLISECONDS.toNanos(20);
    /** More than a pool has connections that went stale with a restart of the server; fewer than would harm one. */
    private static final int MOST_TRIES = 32;
    /** More than a pool of the default size has connections to a server that has become a replica. */
    private static final int MOST_READONLY = 10;

    private final Executor threads;
    private final Time time;

    Asks(Executor threads, Time time) {
        this.threads = threads;
        this.time = time;
    }

    /**
     * Calls within a budget, and again at once where a connection broke, as all that are in a pool do when the server is
     * started anew, or leads to a server that has become a replica, which the store has hung up. So a call must be one that may be carried out twice.
     *
     * @param stale is told of each such failure that is not thrown
     * @throws StoreException if the call failed, did not end in time, or no thread was free
     */
    <T> T call(String what, long budgetNanos, Supplier<T> call, Consumer<StoreException> stale) {
        long end = time.nanos() + budgetNanos;
        int readOnly = 0;
        for (int tries = 1; ; tries++) {
            try {
                return once(what, end - time.nanos(), call);
            } catch (StoreException e) {
                boolean again = e.fault() == StoreFault.DISCONNECTED
                        || (e.fault() == StoreFault.READONLY && ++readOnly < MOST_READONLY);
                if (!again || tries == MOST_TRIES || end - time.nanos() <= 0) {
                    throw e;
                }
                stale.accept(e);
            }
        }
    }

    /**
     * An interrupt of the caller does not end the wait, which is short, and its flag stays. After a time-out the call goes on
     * by itself and its outcome is unknown, unless it still waits for a connection: then it is broken off.
     */
    private <T> T once(String what, long budgetNanos, Supplier<T> call) {
        if (budgetNanos <= 0) {
            throw new StoreException(StoreFault.TIMEOUT, false, what + ": no time was left to ask", null);
        }
        Ask<T> ask = new Ask<>(call);
        try {
            threads.execute(ask);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            throw new StoreException(StoreFault.SLOW, false, what + ": no thread is free to ask the store", e);
        }
        if (!ask.await(budgetNanos) && !(ask.breakOff() && ask.await(LAST_WORDS))) {
            long ms = TimeUnit.NANOSECONDS.toMillis(budgetNanos);
            throw new StoreException(
                    StoreFault.TIMEOUT, ask.isBegun(), what + ": no answer within " + ms + " ms", null);
        }
        return ask.answer(what);
    }
}
