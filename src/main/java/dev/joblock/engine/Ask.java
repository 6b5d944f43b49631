package dev.joblock.engine;

import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call to the store on a thread of the engine, for which another thread waits.
 *
 * <p>States: <em>given</em> → <em>begun</em> → <em>ended</em>; broken off while it is given, it never begins; broken off
 * later, its thread is interrupted, which ends a wait for a connection and nothing else.
 */
final class Ask<T> implements Runnable {

    private final Supplier<T> call;
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Thread thread;
    private boolean begun;
    private boolean brokenOff;
    private volatile @Nullable T answer;
    private volatile @Nullable Throwable failure;

    Ask(Supplier<T> call) {
        this.call = call;
    }

    @Override
    public void run() {
        if (!begin()) {
            return;
        }
        try {
            answer = call.get();
        } catch (Throwable e) {
            failure = e;
        } finally {
            end();
            ended.countDown();
        }
    }

    private synchronized boolean begin() {
        begun = !brokenOff;
        thread = begun ? Thread.currentThread() : null;
        return begun;
    }

    private synchronized void end() {
        thread = null;
        if (brokenOff) {
            // The interrupt was ours, and the thread goes back to its pool.
            Thread.interrupted();
        }
    }

    /** False if the call has not begun and never will. */
    synchronized boolean breakOff() {
        brokenOff = true;
        if (thread != null) {
            thread.interrupt();
        }
        return begun;
    }

    /** Whether the store may have been asked. */
    synchronized boolean isBegun() {
        return begun;
    }

    /** Waits for the end; false if the wait was over first. An interrupt is put off until then. */
    boolean await(long nanos) {
        long end = System.nanoTime() + nanos;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return ended.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What an ended call gave. */
    T answer(String what) {
        Throwable thrown = failure;
        T given = answer;
        if (thrown instanceof StoreException) {
            throw (StoreException) thrown;
        }
        if (thrown != null || given == null) {
            throw new StoreException(StoreFault.OTHER, true, what + ": " + thrown, thrown);
        }
        return given;
    }
}
