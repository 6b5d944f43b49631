package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.joblock.JobLock;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LockLostException;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leases of 30 s, and of other lengths where a test says so, by hand-turned clocks. */
class RenewalTest {
    private final JobLockPolicy brief = ManualEngine.policy("brief");
    private final ManualEngine engine = engine(brief);

    private static ManualEngine engine(JobLockPolicy brief) {
        brief.setLease("3s");
        brief.setMaxHold("20s");
        return new ManualEngine(brief);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void deadlineCountsFromBeforeTheRequestWasSentLessAMargin() {
        engine.store.thenDo(() -> engine.time.pass(Duration.ofSeconds(4)));
        JobLock lock = engine.grant("job");
        engine.store.fail(StoreFault.UNREACHABLE, false);

        engine.pass(Duration.ofSeconds(25).minusMillis(1));
        assertThat(lock.isHeld()).isTrue();
        engine.pass(Duration.ofMillis(1));
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void deadlineOfARenewalCountsFromBeforeItsRequestToo() {
        JobLock lock = engine.grant("job");
        engine.store.thenDo(() -> engine.time.pass(Duration.ofSeconds(5)));
        engine.passSeconds(10);
        engine.store.fail(StoreFault.UNREACHABLE, false);

        engine.pass(Duration.ofSeconds(24).minusMillis(1));
        assertThat(lock.isHeld()).isTrue();
        engine.pass(Duration.ofMillis(1));
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void leaseThatIsKeptIsRenewedBeforeItsRunBeginsAndMayStillBeUnclaimed() {
        JobLock lock = engine.grant(JobRun.exclusive("job").beforeStart());
        lock.keep();
        engine.passSeconds(60);
        assertThat(lock.isHeld()).isTrue();

        lock.unclaim();
        engine.passSeconds(60);

        assertThat(engine.events.heard()).containsExactly("granted job", "unclaimed job");
        assertThat(engine.threads.planned()).isZero();
    }

    @Test
    void leaseThatIsKeptBeginsItsRunLater() {
        JobLock lock = engine.grant(JobRun.exclusive("job").beforeStart());
        lock.keep();
        engine.passSeconds(60);
        lock.started();
        engine.passSeconds(60);
        lock.unclaim();
        assertThat(lock.isHeld())
                .as("held after an un-claim of a run that began")
                .isTrue();

        lock.release();

        assertThat(engine.events.heard()).containsExactly("granted job", "ended job");
    }

    @Test
    void leaseIsRenewedEveryThirdForAsLongAsTheRunLasts() {
        JobLock lock = engine.grant("job");
        assertThat(engine.store.calls()).containsExactly("acquire job 30000");

        // The first third is one of what is left of the lease less its margin.
        engine.pass(Duration.ofMillis(9_666));
        assertThat(engine.store.calls()).isEmpty();
        engine.pass(Duration.ofMillis(1));
        assertThat(engine.store.calls()).containsExactly("renew job 30000");
        engine.passSeconds(100);
        assertThat(engine.store.calls()).hasSize(10).containsOnly("renew job 30000");
        assertThat(lock.isHeld()).isTrue();

        lock.release();
        assertThat(engine.store.calls()).containsExactly("release job");
        engine.passSeconds(1_000);
        assertThat(engine.store.calls()).isEmpty();
        assertThat(engine.events.heard()).containsExactly("granted job", "ended job");
    }

    /** As where no further thread can be started for a moment, or memory is short. */
    @Test
    void renewalThatCouldNotBeHandedOverIsTriedAgain() {
        JobLock lock = engine.grant("job");
        engine.store.calls();
        engine.threads.io.fill();
        assertThatThrownBy(() -> engine.passSeconds(10)).isInstanceOf(RejectedExecutionException.class);
        engine.threads.io.letGo();

        engine.passSeconds(100);
        assertThat(lock.isHeld()).isTrue();
        assertThat(engine.store.calls()).hasSizeGreaterThan(9).containsOnly("renew job 30000");
    }

    @Test
    void renewalThatFailsInsideTheEngineIsTriedAgain() {
        JobLock lock = engine.grant("job");
        engine.store.calls();
        engine.threads.ioCalls.breakDown(new StackOverflowError());
        assertThatThrownBy(() -> engine.passSeconds(10)).isInstanceOf(StackOverflowError.class);
        engine.threads.ioCalls.letGo();

        engine.passSeconds(100);
        assertThat(lock.isHeld()).isTrue();
        assertThat(engine.store.calls()).hasSizeGreaterThan(9).containsOnly("renew job 30000");
    }

    /** As where the thread of the renewal stands still between its last two steps for a third of the lease. */
    @Test
    void tickThatComesBeforeTheLastRenewalHasQuiteEndedIsNotForgotten() {
        JobLock lock = engine.grant("job");
        engine.threads.afterNextPlan(() -> engine.passSeconds(10));

        engine.passSeconds(100);
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void fiveHundredShortRunsLeaveNoRenewalBehind() {
        for (int i = 0; i < 500; i++) {
            engine.grant("short" + i).release();
        }
        JobLock lock = engine.grant("job");
        engine.store.calls();

        engine.passSeconds(100);

        assertThat(engine.store.calls()).hasSize(10).containsOnly("renew job 30000");
        assertThat(engine.threads.planned()).isEqualTo(2);
        lock.release();
        assertThat(engine.threads.planned()).isZero();
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void failedRenewalIsRepeatedSoonAndARunThatGetsOneThroughIsNotLost() {
        JobLock lock = engine.grant("job");
        engine.store.fail(StoreFault.TIMEOUT, true);
        engine.passSeconds(28);
        assertThat(engine.store.calls()).hasSizeBetween(30, 45);
        assertThat(engine.logs.warnings())
                .singleElement()
                .asString()
                .isEqualTo("Lock 'job' could not be renewed and is tried again: p:job: no answer in time");

        engine.store.recover();
        engine.passSeconds(1);
        engine.passSeconds(60);

        assertThat(lock.isHeld()).isTrue();
        assertThat(engine.events.heard()).containsExactly("granted job");
    }

    @Test
    void staleConnectionsOfAPoolCostNoRenewal() {
        engine.grant("job");
        for (int i = 0; i < 31; i++) {
            engine.store.thenFail(StoreFault.DISCONNECTED, true);
        }
        engine.passSeconds(10);

        assertThat(engine.store.calls()).hasSize(1 + 32);
        assertThat(engine.logs.warnings()).isEmpty();
    }

    @Test
    void leaseThatCannotBeRenewedUntilItsDeadlineIsLostOnce() {
        JobLock lock = engine.grant("job");
        engine.store.fail(StoreFault.UNREACHABLE, false);

        engine.pass(Duration.ofSeconds(29).minusMillis(1));
        assertThat(engine.events.heard()).containsExactly("granted job");
        engine.pass(Duration.ofMillis(1));

        assertThat(engine.events.heard())
                .containsExactly(
                        "lost job: it could not be renewed in time: cannot be reached, p:job: cannot be reached");
        assertThat(lock.isHeld()).isFalse();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(lock::ensureHeld)
                .withMessage("Lock 'job' of 'job', token 1, is no longer held by n1 (lost); "
                        + "stop this run, another node may have begun");
        engine.store.calls();
        engine.store.recover();
        engine.passSeconds(100);
        assertThat(engine.store.calls()).isEmpty();
        assertThat(engine.events.heard()).isEmpty();
        assertThat(engine.threads.planned()).isZero();
    }

    @Test
    void lostRunThatEndsReleasesAndIsHeardToEndAfterItsLoss() {
        JobLock lock = engine.grant("job");
        engine.store.then(false);
        engine.passSeconds(10);
        engine.store.calls();
        engine.store.then(false);

        lock.release(new IllegalStateException("cut short"));
        lock.release();
        lock.close();

        assertThat(engine.store.calls()).containsExactly("release job");
        assertThat(engine.events.heard())
                .containsExactly(
                        "granted job",
                        "lost job: the store knows of no lease of this holder any more: taken over, removed, or expired",
                        "ended job: cut short");
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void storeThatKnowsOfNoLeaseAnyMoreMeansLostAtOnce() {
        JobLock lock = engine.grant("job");
        engine.store.then(false);

        engine.pass(Duration.ofMillis(9_667));

        assertThat(lock.isHeld()).isFalse();
        assertThat(engine.events.count("lost")).isEqualTo(1);
        engine.passSeconds(100);
        assertThat(engine.events.count("lost")).isEqualTo(1);
        assertThat(engine.store.calls()).containsExactly("acquire job 30000", "renew job 30000");
    }

    @Test
    void storeThatBreaksItsContractCostsNoLease() {
        JobLock lock = engine.grant("job");
        engine.store.thenDo(() -> {
            throw new IllegalStateException("no StoreException");
        });
        engine.store.thenDo(() -> {
            throw new NoClassDefFoundError("gone");
        });

        engine.passSeconds(60);

        assertThat(lock.isHeld()).isTrue();
        assertThat(engine.events.count("lost")).isZero();
        assertThat(engine.logs.warnings()).hasSize(1);
    }

    @Test
    void releaseWhileARenewalIsUnderWayIsNoLossAndEndsTheRenewal() {
        JobLock lock = engine.grant("job");
        engine.store.thenDo(lock::release);
        engine.store.then(true).then(false);

        engine.passSeconds(10);

        assertThat(engine.store.calls()).containsExactly("acquire job 30000", "renew job 30000", "release job");
        engine.passSeconds(100);
        assertThat(engine.store.calls()).isEmpty();
        assertThat(engine.events.heard()).containsExactly("granted job", "ended job");
        assertThat(engine.threads.planned()).isZero();
    }

    @Test
    void renewalThatIsAnsweredNoAfterTheReleaseIsNoLoss() {
        JobLock lock = engine.grant("job");
        engine.threads.io.hold();
        engine.passSeconds(10);
        lock.release();

        engine.threads.io.letGo();

        assertThat(engine.store.calls()).containsExactly("acquire job 30000", "release job");
        assertThat(engine.events.heard()).containsExactly("granted job", "ended job");
    }

    @Test
    void renewalsThatPileUpBehindABusyThreadAreOne() {
        engine.grant("job");
        engine.threads.io.hold();
        engine.passSeconds(10);
        assertThat(engine.threads.io.waiting()).isEqualTo(1);
        engine.store.calls();

        engine.threads.io.letGo();

        assertThat(engine.store.calls()).containsExactly("renew job 30000");
    }

    @Test
    void verdictDoesNotWaitForTheThreadOfTheRenewals() {
        JobLock lock = engine.grant("job");
        engine.threads.io.hold();

        engine.passSeconds(29);

        assertThat(lock.isHeld()).isFalse();
        assertThat(engine.events.heard()).containsExactly("granted job", "lost job: its lease has ended");
    }

    @Test
    void maxHoldEndsTheRenewalAndHalfOfItWarns() {
        JobLock lock = engine.grant("brief");
        engine.pass(Duration.ofMillis(9_800));
        assertThat(engine.logs.warnings()).isEmpty();
        engine.passSeconds(2);
        assertThat(engine.logs.warnings())
                .containsExactly("Lock 'brief' of 'brief' is held for half of its max hold 20s; is the job hung?");
        engine.pass(Duration.ofMillis(8_199));
        assertThat(engine.logs.warnings()).isEmpty();
        assertThat(engine.store.calls()).hasSize(21);

        engine.pass(Duration.ofMillis(1));
        assertThat(engine.logs.warnings())
                .containsExactly("Lock 'brief' of 'brief': max hold of 20s is reached, renewal has stopped; "
                        + "is the job hung?");
        assertThat(lock.isHeld()).isTrue();
        engine.passSeconds(3);

        assertThat(engine.store.calls()).isEmpty();
        assertThat(lock.isHeld()).isFalse();
        assertThat(engine.events.heard())
                .containsExactly(
                        "granted brief",
                        "lost brief: it could not be renewed in time: max hold of 20s is reached, renewal has stopped");
    }

    @Test
    void wallClockThatIsAheadMakesTheLeaseDoubtfulUntilARenewalConfirmsIt() {
        JobLock lock = engine.grant("job");
        engine.threads.io.hold();
        engine.time.step(Duration.ofSeconds(20));

        assertThat(lock.isHeld()).isFalse();
        assertThat(engine.threads.io.waiting()).isEqualTo(1);
        engine.threads.io.letGo();

        assertThat(engine.store.calls()).containsExactly("acquire job 30000", "renew job 30000");
        assertThat(lock.isHeld()).isTrue();
        assertThat(engine.events.heard()).containsExactly("granted job");
        engine.passSeconds(100);
        assertThat(engine.store.calls()).hasSize(10);
    }

    @Test
    void suspendedMachineWhoseLeaseIsGoneHearsSoAtTheFirstLook() {
        JobLock lock = engine.grant("job");
        engine.time.step(Duration.ofMinutes(10));
        engine.store.then(false);

        assertThat(lock.isHeld()).isFalse();

        assertThat(engine.events.count("lost")).isEqualTo(1);
    }

    @Test
    void clockThatStepsPastTheMaxHoldDoesNotRenewOnceMore() {
        JobLock lock = engine.grant("brief");
        engine.passSeconds(20);
        engine.store.calls();
        engine.time.step(Duration.ofSeconds(5));

        assertThat(lock.isHeld()).isFalse();

        assertThat(engine.store.calls()).isEmpty();
    }

    @Test
    void grantBeforeTheStartHasAShortLeaseThatIsNotRenewed() {
        JobLock lock = engine.grant(JobRun.exclusive("job").beforeStart());
        assertThat(engine.store.calls()).containsExactly("acquire job 10000");

        engine.pass(Duration.ofSeconds(9).minusMillis(1));
        assertThat(lock.isHeld()).isTrue();
        engine.pass(Duration.ofMillis(1));

        assertThat(lock.isHeld()).isFalse();
        assertThat(engine.store.calls()).isEmpty();
        assertThat(engine.events.heard()).containsExactly("granted job", "lost job: its lease has ended");
        lock.started();
        engine.passSeconds(100);
        assertThat(engine.store.calls()).isEmpty();
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void startBringsTheFullLease() {
        JobLock lock = engine.grant(JobRun.exclusive("job").beforeStart());
        engine.passSeconds(3);

        lock.started();
        lock.started();
        engine.pass(Duration.ofSeconds(2).minusMillis(1));
        assertThat(engine.store.calls()).containsExactly("acquire job 10000");
        engine.pass(Duration.ofMillis(1));
        assertThat(engine.store.calls()).containsExactly("renew job 30000");

        engine.store.fail(StoreFault.UNREACHABLE, false);
        engine.pass(Duration.ofSeconds(29).minusMillis(1));
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void leaseShorterThanTheStartLeaseStaysAsItIs() {
        engine.grant(JobRun.exclusive("brief").beforeStart());

        assertThat(engine.store.calls()).containsExactly("acquire brief 3000");
    }

    @Test
    void leaseOfAMillisecondIsLostAndNotForgottenByItsOwner() {
        JobLockPolicy shortest = ManualEngine.policy("shortest");
        shortest.setLease("1ms");
        try (ManualEngine other = new ManualEngine(shortest)) {
            JobLock lock = other.grant("shortest");
            other.store.fail(StoreFault.UNREACHABLE, false);
            other.pass(Duration.ofNanos(899_999));
            assertThat(lock.isHeld()).isTrue();
            other.pass(Duration.ofNanos(1));

            assertThat(lock.isHeld()).isFalse();
            assertThat(other.events.count("lost")).isEqualTo(1);
            assertThat(other.service.size()).isZero();
        }
    }

    @Test
    void leaseOfSixtyDaysIsRenewedEveryTwentyDays() {
        JobLockPolicy longest = ManualEngine.policy("longest");
        longest.setLease("60d");
        longest.setMaxHold("1000d");
        try (ManualEngine other = new ManualEngine(longest)) {
            JobLock lock = other.grant("longest");

            other.pass(Duration.ofDays(100));

            assertThat(lock.isHeld()).isTrue();
            assertThat(other.store.calls()).hasSize(6).endsWith("renew longest 5184000000");
        }
    }
}
