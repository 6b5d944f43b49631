package dev.joblock.engine;

import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Calls the store on another thread, so that the caller never waits longer than its budget, whatever time-outs the host's
 * connection factory has, and so that no transaction bound to the caller's thread is joined.
 */
final class Asks {

    private final Executor threads;

    Asks(Executor threads) {
        this.threads = threads;
    }

    /**
     * Calls within a budget. After a time-out or an interrupt the call goes on by itself and its outcome is unknown.
     *
     * @throws StoreException if the call failed, did not end in time, or no thread was free
     */
    <T> T call(String what, long budgetNanos, Supplier<T> call) {
        FutureTask<T> task = new FutureTask<>(call::get);
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            throw new StoreException(StoreFault.SLOW, false, what + ": too many asks wait for the store already", e);
        }
        try {
            return task.get(Math.max(0, budgetNanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            long ms = TimeUnit.NANOSECONDS.toMillis(budgetNanos);
            throw new StoreException(StoreFault.TIMEOUT, true, what + ": no answer within " + ms + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreFault.OTHER, true, what + ": the asking thread was interrupted", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof StoreException) {
                throw (StoreException) cause;
            }
            throw new StoreException(StoreFault.OTHER, true, what + ": " + cause, cause);
        }
    }
}
