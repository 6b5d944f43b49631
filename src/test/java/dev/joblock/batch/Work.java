package dev.joblock.batch;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The work of a job's only step: counts, and may be told to wait, to fail, or to do something. */
public class Work {
    final AtomicInteger runs = new AtomicInteger();
    private volatile @Nullable Semaphore permits;
    private volatile boolean failing;
    private volatile Runnable body = () -> {};
    private volatile CountDownLatch begun = new CountDownLatch(1);

    /** Called by the step. */
    public void run() throws InterruptedException {
        runs.incrementAndGet();
        begun.countDown();
        Semaphore gate = permits;
        if (gate != null && !gate.tryAcquire(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("nobody let it go on");
        }
        body.run();
        if (failing) {
            throw new IllegalStateException("as the test wishes");
        }
    }

    /** From now on each run waits until it is let go on. */
    void hold() {
        permits = new Semaphore(0);
        begun = new CountDownLatch(1);
    }

    void letGo(int number) {
        Semaphore gate = permits;
        if (gate != null) {
            gate.release(number);
        }
    }

    void holdNoMore() {
        permits = null;
    }

    void fail(boolean value) {
        failing = value;
    }

    void body(Runnable value) {
        body = value;
    }

    void awaitBegun() throws InterruptedException {
        if (!begun.await(60, TimeUnit.SECONDS)) {
            throw new AssertionError("it did not begin");
        }
    }
}
