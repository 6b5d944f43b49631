package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.LockOutcome;
import dev.joblock.RecordedRun;
import dev.joblock.StoreAnswer;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One ask: what it sends, what it makes of answers and failures, what it leaves behind. */
class AcquisitionTest {
    private static final JobRun JOB = JobRun.exclusive("job");

    private final ManualEngine engine = new ManualEngine();

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void grantCostsOneCallAndTellsTheStoresWords() {
        JobLock lock = engine.grant("job");

        assertThat(engine.store.calls()).containsExactly("acquire job 30000");
        assertThat(lock.fencingToken()).isEqualTo(1);
        assertThat(lock.since()).isEqualTo(ScriptedStore.GRANTED_AT);
        assertThat(lock.holder()).isEqualTo(engine.store.last());
        assertThat(lock.holder().node()).isEqualTo("n1");
        assertThat(lock.run()).isSameAs(lock.run());
        assertThat(lock).hasToString("lock 'job' of 'job', token 1, RUNNING");
    }

    @Test
    void eachAskHasANonceOfItsOwn() {
        Holder first = engine.grant("job").holder();
        Holder second = engine.grant("other").holder();

        assertThat(first.nonce()).hasSize(32).isNotEqualTo(second.nonce());
    }

    @Test
    void denialIsHandedOnAndToldOnce() {
        Denied held = Denied.by(
                dev.joblock.DenialReason.HELD, new RecordedRun("n2", "", null, Instant.EPOCH, 7), null, false);
        engine.store.then(held);

        assertThat(engine.service.tryLock(JOB)).isSameAs(held);

        assertThat(engine.store.calls()).containsExactly("acquire job 30000");
        assertThat(engine.events.heard()).containsExactly("denied job: held by n2 since 1970-01-01T00:00:00Z");
        assertThat(engine.service.size()).isZero();
        assertThat(engine.threads.planned()).isZero();
    }

    @Test
    void grantThatTookOverADeadLeaseIsHeardAsAbandoned() {
        RecordedRun dead = new RecordedRun("n2", "lane", Instant.EPOCH, Instant.EPOCH, 7);
        engine.store.then(StoreAnswer.granted(8, ScriptedStore.GRANTED_AT, dead, false));

        engine.grant("job");

        assertThat(engine.events.heard()).containsExactly("granted job", "abandoned job by n2");
        assertThat(engine.logs.warnings())
                .containsExactly("Lock 'job': the slot 1970-01-01T00:00:00Z of n2 since 1970-01-01T00:00:00Z was "
                        + "abandoned, its lease has ended; taken over by n1");
    }

    @Test
    void brokenConnectionIsTriedAgainWithTheSameNonce() {
        Holder[] first = new Holder[1];
        engine.store
                .thenDo(() -> {
                    first[0] = engine.store.last();
                    throw ScriptedStore.fault(StoreFault.DISCONNECTED, true);
                })
                .thenFail(StoreFault.DISCONNECTED, true);

        JobLock lock = engine.grant("job");

        assertThat(lock.holder()).isEqualTo(Objects.requireNonNull(first[0]));
        assertThat(engine.store.calls()).containsExactly("acquire job 30000", "acquire job 30000", "acquire job 30000");
    }

    @Test
    void grantToALaterTryIsHeldNoLongerThanOneToTheFirst() {
        engine.store.thenDo(() -> {
            engine.time.pass(Duration.ofMillis(80));
            throw ScriptedStore.fault(StoreFault.DISCONNECTED, true);
        });
        JobLock lock = engine.grant("job");
        engine.store.fail(StoreFault.UNREACHABLE, false);

        engine.pass(Duration.ofMillis(28_919));
        assertThat(lock.isHeld()).isTrue();
        engine.pass(Duration.ofMillis(1));
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void poolFullOfStaleConnectionsDoesNotCostTheAsk() {
        for (int i = 0; i < 31; i++) {
            engine.store.thenFail(StoreFault.DISCONNECTED, true);
        }

        assertThat(engine.service.tryLock(JOB).isGranted()).isTrue();
    }

    @Test
    void triesEndWithTheBudget() {
        for (int i = 0; i < 5; i++) {
            engine.store.thenDo(() -> {
                engine.time.pass(Duration.ofMillis(30));
                throw ScriptedStore.fault(StoreFault.DISCONNECTED, true);
            });
        }

        Denied denied = ManualEngine.denied(engine.service.tryLock(JOB));

        assertThat(denied.fault()).contains(StoreFault.DISCONNECTED);
        assertThat(engine.store.calls())
                .filteredOn(call -> call.startsWith("acquire"))
                .hasSize(4);
    }

    @Test
    void askWhoseOutcomeIsUnknownIsDeniedAndSettledWithItsNonce() {
        engine.store.thenFail(StoreFault.TIMEOUT, true);

        Denied denied = ManualEngine.denied(engine.service.tryLock(JOB));

        assertThat(denied).hasToString("store down: no answer in time, p:job: no answer in time");
        assertThat(engine.store.calls()).containsExactly("acquire job 30000", "cancel job");
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void serverThatHasBecomeAReplicaIsAskedOnTenConnectionsAtTheMost() {
        engine.store.fail(StoreFault.READONLY, false);

        assertThat(ManualEngine.denied(engine.service.tryLock(JOB)).fault()).contains(StoreFault.READONLY);

        assertThat(engine.store.calls()).hasSize(10).containsOnly("acquire job 30000");
        assertThat(engine.service.size()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = StoreFault.class,
            names = {"DISCONNECTED", "TIMEOUT", "READONLY"},
            mode = EnumSource.Mode.EXCLUDE)
    void askThatChangedNothingIsDeniedAndLeavesNothingToSettle(StoreFault fault) {
        engine.store.thenFail(fault, false);

        Denied denied = ManualEngine.denied(engine.service.tryLock(JOB));

        assertThat(denied.fault()).contains(fault);
        assertThat(engine.store.calls()).containsExactly("acquire job 30000");
    }

    @Test
    void denialAfterATryWhoseOutcomeIsUnknownLeavesATombstoneForIt() {
        engine.store.thenFail(StoreFault.DISCONNECTED, true).then(Denied.notOwed(Instant.EPOCH));

        LockOutcome outcome = engine.service.tryLock(JOB);

        assertThat(outcome.isGranted()).isFalse();
        assertThat(engine.store.calls()).containsExactly("acquire job 30000", "acquire job 30000", "cancel job");
    }

    @Test
    void grantThatArrivesAfterItsOwnLeaseIsCancelled() {
        engine.store.thenDo(() -> engine.time.pass(Duration.ofSeconds(29)));

        Denied denied = ManualEngine.denied(engine.service.tryLock(JOB));

        assertThat(denied).hasToString("store down: no answer in time, the grant came after its own lease had ended");
        assertThat(engine.store.calls()).containsExactly("acquire job 30000", "cancel job");
        assertThat(engine.events.heard()).containsExactly("denied job: " + denied);
        assertThat(engine.threads.planned()).isZero();
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void askThatNobodyAnswersEndsWithTheBudgetAndIsSettledIfItArrivesLate() {
        engine.threads.asks.hold();

        Denied denied = ManualEngine.denied(engine.service.tryLock(JOB));

        // It was never begun, so it never will be.
        assertThat(denied.fault()).contains(StoreFault.TIMEOUT);
        engine.threads.asks.letGo();
        assertThat(engine.store.calls()).isEmpty();
    }

    @Test
    void cancelIsRepeatedUntilTheStoreHasConfirmedIt() {
        engine.store.thenFail(StoreFault.TIMEOUT, true);
        engine.store.thenFail(StoreFault.UNREACHABLE, false).thenFail(StoreFault.UNREACHABLE, false);
        engine.service.tryLock(JOB);
        assertThat(engine.store.calls()).containsExactly("acquire job 30000", "cancel job");

        engine.pass(Duration.ofMillis(50));
        assertThat(engine.store.calls()).containsExactly("cancel job");
        engine.pass(Duration.ofMillis(100));
        assertThat(engine.store.calls()).containsExactly("cancel job");
        engine.passSeconds(10);
        assertThat(engine.store.calls()).isEmpty();
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void cancelIsGivenUpAfterTenMinutes() {
        engine.store.fail(StoreFault.TIMEOUT, true);
        engine.service.tryLock(JOB);

        engine.pass(Duration.ofMinutes(11));
        engine.store.calls();

        engine.passSeconds(60);
        assertThat(engine.store.calls()).isEmpty();
        assertThat(engine.service.size()).isZero();
        assertThat(engine.logs.warnings()).hasSize(1);
    }

    @Test
    void interruptedThreadAsksAllTheSameAndKeepsItsFlag() {
        Thread.currentThread().interrupt();

        LockOutcome outcome = engine.service.tryLock(JOB);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome.isGranted()).isTrue();
    }

    @Test
    void interruptDuringTheAskNeitherEndsItNorGetsLost() {
        Thread asking = Thread.currentThread();
        engine.threads.asks.hold();
        CompletableFuture<Void> answer = CompletableFuture.runAsync(() -> {
            while (engine.threads.asks.waiting() == 0) {
                Thread.onSpinWait();
            }
            asking.interrupt();
            engine.threads.asks.letGo();
        });

        LockOutcome outcome = engine.service.tryLock(JOB);

        assertThat(Thread.interrupted()).isTrue();
        answer.join();
        assertThat(outcome.isGranted()).isTrue();
    }

    /** Its first copy may be under way still, and would be granted anew once the lease is released. */
    @Test
    void askThatWasSentTwiceIsSettledOnceItsLeaseIsReleased() {
        engine.store.thenFail(StoreFault.DISCONNECTED, true);
        JobLock lock = engine.grant("job");
        assertThat(engine.store.calls()).containsExactly("acquire job 30000", "acquire job 30000");

        lock.release();

        assertThat(engine.store.calls()).containsExactly("release job", "cancel job");
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void whileRedisIsTheOutlierItsClockHoldsNoSlotBack() {
        engine.grant("before").release();
        assertThat(engine.store.lastRequest().isClockTrusted()).isTrue();

        engine.service.setRedisOutlier(() -> true);
        engine.grant("after").release();

        assertThat(engine.store.lastRequest().isClockTrusted()).isFalse();
    }
}
