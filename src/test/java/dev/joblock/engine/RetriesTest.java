package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LateGrant;
import dev.joblock.RecordedRun;
import dev.joblock.Slot;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a denied run is asked for again, and what ends that. */
class RetriesTest {
    private static final Instant NOW = ScriptedStore.GRANTED_AT;
    private static final Denied DOWN = Denied.storeDown(StoreFault.UNREACHABLE, "no");
    private static final Denied TAKEN = by(DenialReason.TAKEN, null);
    private static final Denied MANUAL =
            Denied.by(DenialReason.HELD, new RecordedRun("n2", "", null, NOW, 7), NOW.plusSeconds(5), false);
    private static final Denied HELD = by(DenialReason.HELD, NOW.plusSeconds(30));

    private final ManualEngine engine =
            new ManualEngine(policy("retried", "5m", false), policy("rerun", "0s", true), policy("both", "5m", true));
    private final List<LateGrant> offers = new ArrayList<>();
    private final List<JobLock> runs = new ArrayList<>();

    private void starter(LateGrant offer) {
        offers.add(offer);
        offer.take().ifPresent(runs::add);
    }

    private static JobLockPolicy policy(String jobs, String retry, boolean rerun) {
        JobLockPolicy policy = ManualEngine.policy(jobs);
        policy.setRetry(retry);
        policy.setRerun(Boolean.toString(rerun));
        return policy;
    }

    private static Denied by(DenialReason reason, @Nullable Instant until) {
        return Denied.by(reason, new RecordedRun("n2", "lane", NOW, NOW, 7), until, false);
    }

    private static Denied heldBySlot(Instant scheduled, Instant until) {
        return Denied.by(DenialReason.HELD, new RecordedRun("n3", "lane", scheduled, NOW, 8), until, false);
    }

    private void assertRun(Instant scheduled) {
        assertThat(runs)
                .singleElement()
                .satisfies(
                        lock -> assertThat(lock.run().slot().get().scheduled()).isEqualTo(scheduled));
    }

    private static JobRun slot(String job, int second) {
        return JobRun.slot(job, "lane", Slot.of(NOW.plusSeconds(second), NOW.plusSeconds(second + 60L), "d"));
    }

    /** Asks, is denied, and has it asked for again. */
    private boolean denied(JobRun run, Denied denied) {
        engine.store.then(denied);
        Denied outcome = ManualEngine.denied(engine.service.tryLock(run));
        engine.store.calls();
        return engine.service.askAgain(run, outcome, this::starter);
    }

    @AfterEach
    void close() {
        engine.service.close();
        assertThat(engine.threads.planned()).isZero();
        engine.close();
    }

    @Test
    void withoutPolicyNothingIsAskedAgain() {
        for (Denied reason : List.of(DOWN, TAKEN, HELD)) {
            assertThat(denied(slot("plain", 0), reason)).isFalse();
        }
        engine.pass(Duration.ofMinutes(10));

        assertThat(engine.store.calls()).isEmpty();
    }

    @Test
    void storeThatIsBackGrantsTheSlotThatWasDenied() {
        assertThat(denied(slot("retried", 0), DOWN)).isTrue();
        engine.store.fail(StoreFault.UNREACHABLE, false);
        engine.pass(Duration.ofMinutes(2));
        assertThat(engine.store.calls())
                .hasSizeBetween(48, 100)
                .allMatch(call -> call.startsWith("acquire retried 10000"));
        engine.store.recover();
        engine.passSeconds(3);

        assertThat(runs).singleElement().satisfies(lock -> {
            assertThat(lock.run().origin()).isEqualTo(JobRun.Origin.RETRY);
            assertThat(lock.run().slot()).contains(slot("retried", 0).slot().get());
            assertThat(lock.run().isBeforeStart()).isTrue();
            lock.started();
            lock.release();
        });
        engine.store.calls();
        engine.passSeconds(600);
        assertThat(engine.store.calls()).isEmpty();
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void retryEndsWithItsTime() {
        denied(slot("retried", 0), DOWN);
        engine.store.fail(StoreFault.UNREACHABLE, false);
        engine.passSeconds(299);
        assertThat(engine.service.size()).isOne();
        engine.store.calls();
        engine.passSeconds(2);
        assertThat(engine.store.calls()).isNotEmpty();
        engine.store.recover();
        engine.passSeconds(600);

        assertThat(engine.store.calls()).isEmpty();
        assertThat(offers).isEmpty();
        assertThat(engine.service.size()).isZero();
        // The first denial was told; the last one has the same reason.
        assertThat(engine.events.heard()).hasSize(1);
    }

    @Test
    void slotThatSomebodyTookIsNotRun() {
        denied(slot("retried", 0), HELD);
        // The last one: whether that grant was un-claimed.
        engine.store.then(HELD).then(TAKEN).then(TAKEN);
        engine.passSeconds(60);

        assertThat(offers).isEmpty();
        assertThat(engine.events.heard()).containsExactly("denied retried: " + HELD, "denied retried: " + TAKEN);
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void slotThatWasUnclaimedElsewhereIsTaken() {
        denied(slot("retried", 0), TAKEN);
        engine.passSeconds(2);

        assertThat(runs).hasSize(1);
    }

    @Test
    void newerSlotOfALaneTakesThePlaceOfAnOlderOne() {
        denied(slot("retried", 0), HELD);
        denied(slot("retried", 60), HELD);
        assertThat(engine.service.size()).isOne();
        engine.passSeconds(10);

        assertThat(runs)
                .singleElement()
                .satisfies(lock -> assertThat(lock.run().slot())
                        .contains(slot("retried", 60).slot().get()));
    }

    @Test
    void grantThatNobodyTakesGoesBackAndIsAskedForAgain() {
        engine.store.then(DOWN);
        JobRun run = slot("retried", 0);
        engine.service.askAgain(run, ManualEngine.denied(engine.service.tryLock(run)), offers::add);
        engine.passSeconds(1);
        assertThat(offers).hasSize(1);
        engine.store.calls();
        engine.passSeconds(5);

        assertThat(engine.store.calls()).startsWith("unclaim retried", "acquire retried 10000");
        assertThat(offers).hasSize(2);
        assertThat(offers.get(0).take()).isEmpty();
        assertThat(offers.get(1).take())
                .hasValueSatisfying(lock -> assertThat(lock.isHeld()).isTrue());
        assertThat(offers.get(1).take()).isEmpty();
        engine.passSeconds(4);
        assertThat(engine.store.calls()).isEmpty();
    }

    @Test
    void grantOfAShortLeaseGoesBackBeforeItIsOver() {
        JobLockPolicy policy = policy("short", "5m", false);
        policy.setLease("2s");
        try (ManualEngine other = new ManualEngine(policy)) {
            other.store.then(DOWN);
            JobRun run = slot("short", 0);
            other.service.askAgain(run, ManualEngine.denied(other.service.tryLock(run)), offers::add);
            other.pass(Duration.ofMillis(1_600));

            assertThat(other.store.calls()).startsWith("acquire short 2000", "acquire short 2000", "unclaim short");
            other.service.close();
        }
    }

    @Test
    void refusedGrantGoesBackForGood() {
        engine.store.then(DOWN);
        JobRun run = slot("retried", 0);
        engine.service.askAgain(
                run, ManualEngine.denied(engine.service.tryLock(run)), offer -> offer.refuse("it is paused"));
        engine.passSeconds(600);

        assertThat(engine.store.calls())
                .containsExactly("acquire retried 30000", "acquire retried 10000", "unclaim retried");
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void starterThatThrowsGivesTheGrantBack() {
        engine.store.then(DOWN);
        JobRun run = slot("retried", 0);
        engine.service.askAgain(run, ManualEngine.denied(engine.service.tryLock(run)), offer -> {
            throw new IllegalStateException("no scheduler");
        });
        engine.passSeconds(600);

        assertThat(engine.store.calls()).endsWith("unclaim retried");
        assertThat(engine.service.size()).isZero();
        engine.logs.warnings();
    }

    @Test
    void grantThatIsLostBeforeItIsTakenIsNeverRunWithIt() {
        engine.store.then(DOWN);
        JobRun run = slot("retried", 0);
        engine.service.askAgain(run, ManualEngine.denied(engine.service.tryLock(run)), offers::add);
        engine.passSeconds(1);
        // The process stood still: no timer ran.
        engine.time.pass(Duration.ofSeconds(20));

        assertThat(offers.get(0).take()).isEmpty();
        engine.passSeconds(1);
        assertThat(offers).hasSize(2);
        assertThat(offers.get(1).run().origin()).isEqualTo(JobRun.Origin.RETRY);
        engine.logs.warnings();
    }

    @Test
    void loserWatchesARunUntilItsLeaseIsDead() {
        denied(slot("rerun", 0), TAKEN);
        engine.store.then(HELD).then(HELD);
        engine.passSeconds(1);
        assertThat(engine.store.calls()).hasSize(1);
        engine.passSeconds(29);
        assertThat(engine.store.calls()).isEmpty();
        engine.passSeconds(1);
        assertThat(engine.store.calls()).hasSize(1);
        assertThat(offers).isEmpty();
        engine.passSeconds(31);

        assertThat(runs).singleElement().satisfies(lock -> {
            assertThat(lock.run().rule()).isEqualTo(JobRun.Rule.OWED);
            assertThat(lock.run().origin()).isEqualTo(JobRun.Origin.RERUN);
            assertThat(lock.run().slot().get().scheduled()).isEqualTo(NOW);
        });
    }

    @Test
    void watchEndsWithTheRun() {
        denied(slot("rerun", 0), TAKEN);
        engine.store.then(HELD).then(TAKEN);
        engine.pass(Duration.ofHours(1));

        assertThat(engine.store.calls()).hasSize(2);
        assertThat(offers).isEmpty();
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void runThatDeniesALaterSlotIsWatchedToo() {
        denied(slot("rerun", 60), HELD);
        engine.passSeconds(31);

        assertThat(runs)
                .extracting(lock -> lock.run().slot().get().scheduled())
                .containsExactlyInAnyOrder(NOW, NOW.plusSeconds(60));
        assertThat(runs).allSatisfy(lock -> assertThat(lock.run().origin()).isEqualTo(JobRun.Origin.RERUN));
    }

    @Test
    void slotThatWasHeldOffIsWatchedWhereANodeFiresItLate() {
        Instant itself = slot("rerun", 60).slot().get().scheduled();
        Denied late = heldBySlot(itself, NOW.plusSeconds(60));
        denied(slot("rerun", 60), MANUAL);
        engine.store
                .then(by(DenialReason.PASSED, null))
                .then(Denied.notOwed(itself))
                .then(late);
        engine.passSeconds(64);
        assertThat(offers).isEmpty();
        engine.passSeconds(3);

        assertRun(itself);
    }

    @Test
    void slotThatNobodyIsGrantedIsWatchedForAMinuteAfterTheRunThatHeldItOff() {
        denied(slot("rerun", 60), MANUAL);
        for (int n = 0; n < 100; n++) {
            engine.store.then(by(DenialReason.PASSED, null));
        }
        engine.pass(Duration.ofHours(1));

        assertThat(engine.store.calls()).hasSizeBetween(25, 45);
        assertThat(offers).isEmpty();
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void runThatDiedIsRunAgainSoonAlsoWhereShortOnesAreInItsWay() {
        denied(slot("rerun", 0), HELD);
        Denied next = heldBySlot(NOW.plusSeconds(30), NOW.plusSeconds(60));
        engine.store.then(next).then(next);
        engine.passSeconds(32);

        assertRun(NOW);
    }

    @Test
    void slotThatWasFiredLateIsRunAgainSoonAlsoWhereShortOnesAreInItsWay() {
        Instant itself = slot("rerun", 60).slot().get().scheduled();
        Denied late = heldBySlot(itself, NOW.plusSeconds(30));
        Denied next = heldBySlot(itself.plusSeconds(60), NOW.plusSeconds(90));
        denied(slot("rerun", 60), MANUAL);
        engine.store.then(late).then(next);
        engine.passSeconds(37);

        assertRun(itself);
    }

    @Test
    void newerSlotThatIsHeldOffLeavesTheRunThatIsWatched() {
        for (int n = 1; n <= 20; n++) {
            denied(slot("rerun", n), HELD);
        }
        engine.passSeconds(31);

        assertThat(offers)
                .extracting(offer -> offer.run().slot().get().scheduled())
                .containsExactlyInAnyOrder(NOW, NOW.plusSeconds(20));
    }

    @Test
    void watchOutlastsAStoreThatIsAway() {
        denied(slot("rerun", 0), TAKEN);
        engine.store.then(HELD);
        engine.passSeconds(1);
        engine.store.fail(StoreFault.UNREACHABLE, false);
        engine.pass(Duration.ofMinutes(10));
        engine.store.recover();
        engine.passSeconds(3);

        assertThat(runs).hasSize(1);
    }

    @Test
    void recoveryOfTheSchedulerIsWatchedWhereThePolicyReruns() {
        JobRun recovery = JobRun.owed("rerun", "lane", NOW);
        denied(recovery, HELD);
        engine.passSeconds(31);

        assertThat(runs)
                .singleElement()
                .satisfies(lock -> assertThat(lock.run().rule()).isEqualTo(JobRun.Rule.OWED));
    }

    @Test
    void slotAheadOfRedisTimeIsHeldBackWithoutAPolicy() {
        JobRun run = slot("plain", 58);
        assertThat(denied(run, Denied.clockAhead(NOW, NOW.plusSeconds(58)))).isTrue();
        engine.passSeconds(57);
        assertThat(engine.store.calls()).isEmpty();
        engine.passSeconds(1);

        assertThat(runs)
                .singleElement()
                .satisfies(lock -> assertThat(lock.run().origin()).isEqualTo(JobRun.Origin.SCHEDULED));
    }

    @Test
    void heldBackSlotThatIsTakenByThenIsToldSo() {
        denied(slot("plain", 58), Denied.clockAhead(NOW, NOW.plusSeconds(58)));
        engine.events.heard();
        engine.store.then(TAKEN);
        engine.passSeconds(60);

        assertThat(engine.events.heard()).containsExactly("denied plain: " + TAKEN);
        assertThat(offers).isEmpty();
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void manySlotsOfALaneAreHeldBack() {
        for (int i = 1; i <= 60; i++) {
            denied(slot("plain", i), Denied.clockAhead(NOW, NOW.plusSeconds(i)));
        }
        assertThat(engine.service.size()).isEqualTo(60);
        engine.passSeconds(61);

        assertThat(runs).hasSize(60);
    }

    @Test
    void slotMoreThanFiveMinutesAheadStaysDenied() {
        assertThat(denied(slot("plain", 301), Denied.clockAhead(NOW, NOW.plusSeconds(301))))
                .isFalse();
    }

    @Test
    void intervalIsAskedForUntilItsNextOwnFire() {
        JobRun run = JobRun.interval("retried", "lane", Duration.ofSeconds(6));
        denied(run, DOWN);
        engine.store.fail(StoreFault.UNREACHABLE, false);
        engine.passSeconds(7);
        engine.store.recover();
        engine.passSeconds(60);

        assertThat(offers).isEmpty();
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void closingDropsWhatIsPendingAndGivesBackWhatIsOffered() {
        engine.store.then(DOWN);
        JobRun offered = slot("retried", 0);
        engine.service.askAgain(offered, ManualEngine.denied(engine.service.tryLock(offered)), offers::add);
        engine.passSeconds(1);
        denied(slot("both", 0), DOWN);
        engine.service.close();

        assertThat(engine.store.calls()).containsExactly("unclaim retried");
        assertThat(offers.get(0).take()).isEmpty();
        assertThat(engine.service.askAgain(offered, DOWN, this::starter)).isFalse();
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void noMoreThanAThousandArePending() {
        for (int i = 0; i < 1_100; i++) {
            JobRun run = JobRun.slot("retried", "lane " + i, Slot.of(NOW, NOW.plusSeconds(60), "d"));
            engine.service.askAgain(run, DOWN, this::starter);
        }

        assertThat(engine.service.size()).isEqualTo(1_000);
        assertThat(engine.logs.warnings()).hasSize(100).first().asString().contains("1000 other runs");
    }

    @Test
    void runWithAPolicyOfItsOwnIsAskedForAgainByIt() {
        JobLockPolicy own = new JobLockPolicy();
        own.setRetry("5m");
        JobRun slot = JobRun.slot("other", "lane", Slot.last(NOW, null, ""));

        assertThat(engine.service.askAgain(slot, HELD, this::starter)).isFalse();
        assertThat(engine.service.askAgain(slot.withPolicy(own), HELD, this::starter))
                .isTrue();
    }
}
