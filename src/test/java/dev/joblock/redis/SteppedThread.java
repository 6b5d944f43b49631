package dev.joblock.redis;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A thread that is led: it goes on from one stop to the next when it is told to, and else stands still. */
final class SteppedThread implements AutoCloseable {
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final Semaphore goOn = new Semaphore(0);
    private final Semaphore arrived = new Semaphore(0);
    private volatile boolean done = true;
    private Future<?> call = CompletableFuture.completedFuture(null);

    /** Begins a call, which comes to its first stop or to its end. */
    void begin(Callable<?> work) {
        done = false;
        call = executor.submit(() -> {
            try {
                return work.call();
            } finally {
                done = true;
                arrived.release();
            }
        });
        awaitArrival();
    }

    /** Lets it go on to its next stop, or to its end. */
    void step() {
        goOn.release();
        awaitArrival();
    }

    boolean isDone() {
        return done;
    }

    /** What the call came to. */
    Object result() {
        try {
            return Objects.requireNonNull(call.get());
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A stop; to be called by the led thread. */
    void stop() {
        arrived.release();
        goOn.acquireUninterruptibly();
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    private void awaitArrival() {
        try {
            if (!arrived.tryAcquire(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the thread that was told to go on came to no stop within 30 s");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
