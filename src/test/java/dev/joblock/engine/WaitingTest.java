package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.JobRun;
import dev.joblock.LockOutcome;
import dev.joblock.RecordedRun;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Asks that wait. */
class WaitingTest {
    private static final JobRun JOB = JobRun.exclusive("job");
    private static final Duration LONG = Duration.ofMinutes(5);

    private final ManualEngine engine = new ManualEngine();

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void isGrantedWhenTheLockIsFreeAndTellsNoDenial() {
        engine.store.then(denial(DenialReason.HELD)).then(denial(DenialReason.HELD));

        assertThat(engine.service.tryLock(JOB, LONG).isGranted()).isTrue();

        assertThat(engine.store.calls()).hasSize(3);
        assertThat(engine.events.heard()).containsExactly("granted job");
        engine.passSeconds(10);
        assertThat(engine.store.calls()).as("it runs").containsExactly("renew job 30000");
    }

    @Test
    void isDeniedWithTheLastReasonAndNotMuchLaterThanTheWait() {
        for (int i = 0; i < 1_000; i++) {
            engine.store.then(denial(DenialReason.HELD));
        }
        long begin = System.nanoTime();

        LockOutcome outcome = engine.service.tryLock(JOB, Duration.ofMillis(300));

        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        assertThat(ManualEngine.denied(outcome).reason()).isEqualTo(DenialReason.HELD);
        assertThat(took).isBetween(Duration.ofMillis(299), Duration.ofMillis(2_000));
        assertThat(engine.store.calls()).hasSizeBetween(3, 12);
        assertThat(engine.events.heard()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = DenialReason.class,
            names = {"TAKEN", "PASSED"})
    void doesNotWaitForWhatWaitingCannotChange(DenialReason reason) {
        engine.store.then(denial(reason));

        assertThat(ManualEngine.denied(engine.service.tryLock(JOB, LONG)).reason())
                .isEqualTo(reason);
        assertThat(engine.store.calls()).hasSize(1);
    }

    @Test
    void waitsForAStoreThatIsDown() {
        engine.store.thenFail(StoreFault.UNREACHABLE, false).thenFail(StoreFault.LOADING, false);

        assertThat(engine.service.tryLock(JOB, LONG).isGranted()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT-2562047788015215H"})
    void asksOnceWithoutAWait(Duration wait) {
        engine.store.then(denial(DenialReason.HELD));

        assertThat(engine.service.tryLock(JOB, wait).isGranted()).isFalse();
        assertThat(engine.store.calls()).hasSize(1);
    }

    @Test
    void waitsForEverAsWell() {
        engine.store.then(denial(DenialReason.HELD));

        assertThat(engine.service
                        .tryLock(JOB, Duration.ofSeconds(Long.MAX_VALUE))
                        .isGranted())
                .isTrue();
    }

    @Test
    void interruptEndsTheWaitWithTheLastDenialAndTheFlagStays() {
        for (int i = 0; i < 100_000; i++) {
            engine.store.then(denial(DenialReason.HELD));
        }
        Thread waiting = Thread.currentThread();
        CompletableFuture<Void> interrupter = CompletableFuture.runAsync(() -> {
            Awaitility.await()
                    .until(() -> waiting.getState() == Thread.State.TIMED_WAITING
                            || waiting.getState() == Thread.State.WAITING);
            waiting.interrupt();
        });

        LockOutcome outcome = engine.service.tryLock(JOB, LONG);

        assertThat(Thread.interrupted()).isTrue();
        interrupter.join();
        assertThat(ManualEngine.denied(outcome).reason()).isEqualTo(DenialReason.HELD);
    }

    @Test
    void closeEndsTheWait() {
        for (int i = 0; i < 100_000; i++) {
            engine.store.then(denial(DenialReason.HELD));
        }
        CompletableFuture<LockOutcome> waiting = CompletableFuture.supplyAsync(() -> engine.service.tryLock(JOB, LONG));
        Awaitility.await().until(() -> !engine.store.calls().isEmpty());

        engine.service.close();

        assertThat(waiting.join().isGranted()).isFalse();
    }

    private static Denied denial(DenialReason reason) {
        return Denied.by(reason, new RecordedRun("n2", "", null, Instant.EPOCH, 7), null, false);
    }
}
