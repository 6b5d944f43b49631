package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import dev.joblock.Slot;
import dev.joblock.StoreAnswer;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which slots that were held off are told as overrun, when, and how often; the store says which were granted to nobody. */
class OverrunsTest {
    private static final Instant START = Instant.parse("2026-10-25T01:00:00Z");

    private final ManualEngine engine = new ManualEngine();

    @AfterEach
    void close() {
        engine.close();
    }

    private static Instant second(int n) {
        return START.plusSeconds(n);
    }

    private static JobRun slot(int n) {
        return slot("lane", n, "cron");
    }

    private static JobRun slot(String lane, int n, String definition) {
        return JobRun.slot("job", lane, Slot.of(second(n), second(n + 1), definition));
    }

    private static Denied by(DenialReason reason, int slot) {
        RecordedRun other = new RecordedRun("n" + slot, "lane", second(slot), second(slot), slot + 1);
        return Denied.by(reason, other, null, false);
    }

    /** The slot is asked for and held off by that of second 0. */
    private void hold(int... slots) {
        for (int n : slots) {
            deny(slot(n), by(DenialReason.HELD, 0));
        }
    }

    private void deny(JobRun run, Denied denied) {
        engine.store.then(denied);
        assertThat(engine.service.tryLock(run)).isSameAs(denied);
    }

    /** The slot is granted, and from the given one on up to it nobody was granted any. */
    private JobLock grant(JobRun run, @Nullable Integer firstLeftOut) {
        engine.store.then(StoreAnswer.granted(9, ScriptedStore.GRANTED_AT, null, false)
                .withPassedOver(firstLeftOut == null ? null : second(firstLeftOut)));
        return engine.grant(run);
    }

    private List<String> overrun() {
        return engine.events.heard().stream()
                .filter(event -> event.startsWith("overrun"))
                .map(event -> event.replaceAll("overrun 'job' slot 2026-10-25T01:(..:..)Z:.*", "$1"))
                .toList();
    }

    @Test
    void slotsThatWereHeldOffAndGrantedToNobodyAreToldOnceWithOneWarning() {
        hold(1, 2, 3);
        assertThat(engine.events.heard()).allMatch(event -> event.startsWith("denied"));
        JobLock next = grant(slot(4), 1);

        assertThat(engine.events.heard())
                .containsExactly(
                        "granted job",
                        "overrun 'job' slot 2026-10-25T01:00:01Z: held by n0 since 2026-10-25T01:00:00Z",
                        "overrun 'job' slot 2026-10-25T01:00:02Z: held by n0 since 2026-10-25T01:00:00Z",
                        "overrun 'job' slot 2026-10-25T01:00:03Z: held by n0 since 2026-10-25T01:00:00Z");
        assertThat(engine.logs.warnings())
                .containsExactly("'job' slot 2026-10-25T01:00:01Z and 2 more up to 2026-10-25T01:00:03Z were overrun, "
                        + "granted to no node: held off by the slot 2026-10-25T01:00:00Z of n0 since "
                        + "2026-10-25T01:00:00Z until the slot 2026-10-25T01:00:04Z");
        next.started();
        next.release();
        grant(slot(6), 5).release();
        assertThat(overrun()).isEmpty();
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void oneSlotIsOneSentence() {
        hold(1);
        grant(slot(2), 1);

        assertThat(engine.logs.warnings())
                .containsExactly(
                        "'job' slot 2026-10-25T01:00:01Z was overrun, granted to no node: held off by the "
                                + "slot 2026-10-25T01:00:00Z of n0 since 2026-10-25T01:00:00Z until the slot 2026-10-25T01:00:02Z");
    }

    @Test
    void holdersThatFollowedOneAnotherAreBothNamed() {
        hold(1);
        deny(slot(2), by(DenialReason.HELD, 1));
        grant(slot(3), 1);

        assertThat(engine.logs.warnings())
                .singleElement()
                .asString()
                .contains("Z of n0 since 2026-10-25T01:00:00Z and then by the slot 2026-10-25T01:00:01Z of n1 since");
    }

    @Test
    void whatSomebodyWasGrantedIsNotOverrun() {
        hold(1, 2, 3);
        grant(slot(4), 3);
        assertThat(overrun()).containsExactly("00:03");

        hold(5, 6);
        grant(slot(7), null);
        assertThat(overrun()).isEmpty();
        assertThat(engine.logs.warnings()).hasSize(1);
    }

    @Test
    void slotThatIsItselfGrantedLaterIsNotOverrun() {
        hold(1, 2);
        grant(slot(2).from(JobRun.Origin.RETRY), 1).release();

        assertThat(overrun()).containsExactly("00:01");
    }

    @Test
    void slotThatMisfiredAndIsGrantedByAnotherTimeIsNotOverrun() {
        hold(1, 2);
        JobRun misfired = JobRun.slot("job", "lane", Slot.of(second(2).plusMillis(700), second(3), "cron"));
        grant(misfired, 1);

        assertThat(overrun()).containsExactly("00:01");
    }

    @Test
    void slotThatIsHeldOffAgainAndAgainIsToldOnceWithWhomItMetFirst() {
        hold(1);
        deny(slot(1).from(JobRun.Origin.RETRY), by(DenialReason.HELD, 7));
        grant(slot(2), 1);

        assertThat(engine.events.heard())
                .filteredOn(event -> event.startsWith("overrun"))
                .singleElement()
                .asString()
                .contains("held by n0");
    }

    @Test
    void grantThatIsTakenBackTellsNothingAndTheNextOneDoes() {
        hold(1, 2);
        JobLock vetoed = grant(slot(3).beforeStart(), 1);
        vetoed.unclaim();
        assertThat(overrun()).isEmpty();

        JobLock next = grant(slot(4).beforeStart(), 1);
        assertThat(overrun()).isEmpty();
        next.started();
        assertThat(overrun()).containsExactly("00:01", "00:02");
    }

    @Test
    void grantThatIsLostBeforeItsStartStaysAndTells() {
        hold(1, 2);
        JobLock late = grant(slot(3).beforeStart(), 1);
        engine.passSeconds(30);
        assertThat(late.isHeld()).isFalse();
        late.unclaim();

        assertThat(overrun()).containsExactly("00:01", "00:02");
        late.started();
        late.release();
        assertThat(overrun()).isEmpty();
    }

    @Test
    void grantThatIsReleasedWithoutAStartStaysAndTells() {
        hold(1);
        grant(slot(2).beforeStart(), 1).release();

        assertThat(overrun()).containsExactly("00:01");
    }

    @Test
    void otherDenialsInTheGapAreNotOverrun() {
        deny(slot(1), Denied.storeDown(StoreFault.UNREACHABLE, ""));
        deny(slot(2), Denied.clockAhead(START, second(2)));
        deny(slot(3), by(DenialReason.PASSED, 0));
        deny(slot(4), Denied.byOutsider("x", null));
        deny(JobRun.owed("job", "lane", second(5)), by(DenialReason.HELD, 0));
        deny(JobRun.interval("job", "lane", Duration.ofSeconds(1)), by(DenialReason.HELD, 0));
        deny(JobRun.exclusive("job"), by(DenialReason.HELD, 0));
        grant(slot(9), 1);

        assertThat(overrun()).isEmpty();
    }

    @Test
    void lanesAndDefinitionsAreApart() {
        hold(1);
        deny(slot("other lane", 1, "cron"), by(DenialReason.HELD, 0));
        deny(slot("lane", 2, "other cron"), by(DenialReason.HELD, 0));
        deny(slot(1).withLockName("other lock"), by(DenialReason.HELD, 0));
        grant(slot(4), 1);

        assertThat(overrun()).containsExactly("00:01");
        grant(slot("lane", 5, "other cron"), null);
        assertThat(overrun()).isEmpty();
    }

    /** Their runs move no mark: those of old nodes, and those that run without lock. */
    @Test
    void nothingIsToldWhereRunsLeaveNoMark() {
        JobLockPolicy withoutLock = ManualEngine.policy("job");
        withoutLock.setWhenStoreDown("run");
        JobLockPolicy oldNodes = ManualEngine.policy("job");
        oldNodes.setLegacy("O2");
        oldNodes.setLegacyKey("JOB_{job}");
        for (JobLockPolicy policy : List.of(withoutLock, oldNodes)) {
            Overruns overruns = new Overruns();
            JobLockPolicies policies = new JobLockPolicies(new JobLockPolicy(), List.of(policy));
            overruns.denied("job", slot(1), policies.policyFor("job"), by(DenialReason.HELD, 0));

            assertThat(overruns.begun("job", slot(2), second(1))).isEmpty();
        }
    }

    /** Another node was granted a later slot, and has told of the gap; but it may yet take its grant back. */
    @Test
    void slotIsRememberedUntilALaterGrantCantBeTakenBackAnyMore() {
        hold(1);
        deny(slot(2), by(DenialReason.TAKEN, 2));
        deny(slot(2), by(DenialReason.TAKEN, 2));
        grant(slot(2).from(JobRun.Origin.RETRY), 1);
        assertThat(overrun()).containsExactly("00:01");

        hold(3);
        deny(slot(4), by(DenialReason.TAKEN, 4));
        deny(slot(5), by(DenialReason.TAKEN, 5));
        grant(slot(6), 3);
        assertThat(overrun()).isEmpty();
    }

    @Test
    void newestSlotsOfALaneAndNewestLanesAreRemembered() {
        hold(IntStream.rangeClosed(1, Overruns.MOST_SLOTS + 5).toArray());
        grant(slot(500), 1);
        assertThat(overrun()).hasSize(Overruns.MOST_SLOTS).startsWith("00:06").endsWith("01:45");

        Overruns overruns = new Overruns();
        for (int i = 0; i < Overruns.MOST_LANES + 5; i++) {
            overruns.denied("job", slot("lane" + i, 1, "cron"), new JobLockPolicy(), by(DenialReason.HELD, 0));
        }
        assertThat(overruns.size()).isEqualTo(Overruns.MOST_LANES);
        for (int i = 0; i < Overruns.MOST_LANES + 5; i++) {
            overruns.begun("job", slot("lane" + i, 2, "cron"), second(1));
        }
        assertThat(overruns.size()).as("nothing stays").isZero();
    }
}
