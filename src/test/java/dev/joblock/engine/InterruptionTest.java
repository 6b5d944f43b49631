package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.joblock.JobLock;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LockLostException;
import dev.joblock.StoreFault;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A run is interrupted where its policy asks, and what its thread does next is not. The lease is 30 s. */
class InterruptionTest {
    private final ManualEngine engine = engine();

    private static ManualEngine engine() {
        JobLockPolicy asked = ManualEngine.policy("stop*");
        asked.setInterruptOnLoss("true");
        return new ManualEngine(asked);
    }

    @AfterEach
    void close() {
        engine.close();
        Thread.interrupted();
    }

    private void lose() {
        engine.store.then(false);
        engine.passSeconds(10);
    }

    @Test
    void lostLeaseInterruptsTheThreadOfItsRun() {
        engine.service.run(JobRun.exclusive("stop"), () -> {
            lose();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        });

        assertThat(Thread.currentThread().isInterrupted())
                .as("the flag that was set for the run, after it")
                .isFalse();
        assertThat(engine.events.heard()).hasSize(3).element(1).asString().startsWith("lost stop: ");
    }

    @Test
    void withoutThePolicyNobodyIsInterrupted() {
        engine.service.run(JobRun.exclusive("job"), () -> {
            lose();
            assertThat(engine.service.current().orElseThrow().isHeld()).isFalse();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void flagThatSomebodyElseHasSetStays() {
        engine.service.run(JobRun.exclusive("stop"), () -> {
            Thread.currentThread().interrupt();
            lose();
        });

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void nestedPartDoesNotTakeTheFlagFromTheRunAroundIt() {
        engine.service.run(JobRun.exclusive("stop"), () -> {
            engine.service.run(JobRun.exclusive("stop"), this::lose);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        });
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void threadThatBeginsAfterTheLossIsInterruptedAtOnce() {
        JobLock lock = engine.grant("stop");
        lose();

        engine.service.enter(lock);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        engine.service.leave(lock);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void adaptersActionGoesInPlaceOfTheThread() {
        AtomicInteger stopped = new AtomicInteger();
        engine.service.run(JobRun.exclusive("stop"), () -> {
            engine.service.current().orElseThrow().interruptBy(stopped::incrementAndGet);
            lose();
            engine.service.current().orElseThrow().interrupt();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });

        assertThat(stopped).hasValue(1);
    }

    @Test
    void actionIsCalledThoughAllThreadsThatAskHang() {
        AtomicInteger stopped = new AtomicInteger();
        JobLock lock = engine.grant("stop");
        lock.interruptBy(stopped::incrementAndGet);
        JobLock other = engine.grant("stopOther");
        other.interruptBy(stopped::incrementAndGet);
        engine.threads.asks.fill();

        engine.store.then(false);
        engine.passSeconds(10);
        assertThat(lock.isHeld()).isFalse();
        assertThat(stopped).hasValue(1);

        engine.service.interruptRuns();
        assertThat(stopped).hasValue(2);
    }

    @Test
    void actionThatComesWhenTheRunHasEndedIsNotCalled() {
        AtomicInteger stopped = new AtomicInteger();
        JobLock lock = engine.grant("stop");
        lock.interruptBy(stopped::incrementAndGet);
        engine.threads.asks.hold();
        lock.interrupt();
        engine.threads.asks.letGo();
        assertThat(stopped).hasValue(1);

        JobLock other = engine.grant("stopOther");
        other.interruptBy(stopped::incrementAndGet);
        other.release();
        other.interrupt();
        assertThat(stopped).hasValue(1);
    }

    /** The interruption comes at the very moment at which the thread leaves the run: 2,000 rounds. */
    @Test
    void nextWorkOfTheThreadIsNeverInterrupted() throws Exception {
        ExecutorService worker = Executors.newSingleThreadExecutor();
        CyclicBarrier together = new CyclicBarrier(2);
        try {
            for (int round = 0; round < 2_000; round++) {
                JobLock lock = engine.grant("job" + round);
                CompletableFuture<Boolean> flagAfterwards = CompletableFuture.supplyAsync(
                        () -> {
                            engine.service.enter(lock);
                            meet(together);
                            engine.service.leave(lock);
                            return Thread.currentThread().isInterrupted();
                        },
                        worker);
                meet(together);
                lock.interrupt();
                assertThat(flagAfterwards.get(10, TimeUnit.SECONDS)).isFalse();
                lock.release();
                CountDownLatch next = new CountDownLatch(1);
                worker.execute(() -> {
                    if (!Thread.currentThread().isInterrupted()) {
                        next.countDown();
                    }
                });
                assertThat(next.await(10, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            worker.shutdownNow();
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void verifyingAsksTheStoreAndTellsOfALossThatNobodyKnewOf() {
        JobLock lock = engine.grant("stop");
        engine.store.calls();
        lock.ensureHeld();
        assertThat(engine.store.calls()).isEmpty();
        lock.ensureHeld(true);
        assertThat(engine.store.calls()).containsExactly("renew stop 30000");

        engine.store.then(false);
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> lock.ensureHeld(true))
                .withMessageContaining("the store knows of no lease of this holder any more");
        assertThat(engine.events.heard()).hasSize(2).element(1).asString().startsWith("lost stop: ");
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void storeThatCannotConfirmIsNoConfirmationAndNoLoss() {
        JobLock lock = engine.grant("stop");
        engine.store.thenFail(StoreFault.UNREACHABLE, false);

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> lock.ensureHeld(true))
                .withMessageContaining("the store could not confirm it");

        assertThat(lock.isHeld()).isTrue();
        lock.ensureHeld(true);
    }

    @Test
    void verifyingBeforeTheStartKeepsTheShortLease() {
        JobLock lock = engine.grant(JobRun.exclusive("stop").beforeStart());
        engine.store.calls();

        lock.ensureHeld(true);

        assertThat(engine.store.calls()).containsExactly("renew stop 10000");
    }
}
