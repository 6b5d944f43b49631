package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import dev.joblock.Slot;
import dev.joblock.StoreAnswer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Once per slot: marks, and what each of them denies. */
interface SlotContract extends StoreFixture {

    @Test
    default void slotThatIsRunningIsDeniedToEverybodyElse() {
        StoreAnswer first = grant(hourly(10), holder("n1"));

        Denied denied = deny(hourly(10), "n2");

        assertThat(denied.reason()).isIn(DenialReason.TAKEN, DenialReason.HELD);
        assertThat(denied.other().orElseThrow().node()).isEqualTo("n1");
        assertThat(denied.other().orElseThrow().fencingToken()).isEqualTo(first.fencingToken());
        assertThat(denied.isOtherDefinition()).isFalse();
        assertThat(denied.fault()).isEmpty();
    }

    @Test
    default void slotIsTakenHoursLaterThoughItsJobHasReleased() {
        StoreAnswer first = complete(hourly(10), "n1");

        for (int attempt = 0; attempt < 3; attempt++) {
            Denied denied = deny(hourly(10), "n2");

            assertThat(denied.reason()).isEqualTo(DenialReason.TAKEN);
            assertThat(denied.until()).isEmpty();
            RecordedRun other = denied.other().orElseThrow();
            assertThat(other.node()).isEqualTo("n1");
            assertThat(other.lane()).isEqualTo(LANE);
            assertThat(other.scheduled()).contains(hour(10));
            assertThat(other.since()).isEqualTo(first.since());
            assertThat(other.fencingToken()).isEqualTo(first.fencingToken());
        }
        assertThat(deny(hourly(10), "n1").reason())
                .as("to the node that ran it")
                .isEqualTo(DenialReason.TAKEN);
    }

    @Test
    default void earlierSlotThanTheMarkIsPassedAndNobodyIsSaidToHaveRunIt() {
        complete(hourly(8), "n1");
        complete(hourly(11), "n2");

        Denied denied = deny(hourly(9), "n3");

        assertThat(denied.reason()).isEqualTo(DenialReason.PASSED);
        assertThat(denied.other().orElseThrow().node()).isEqualTo("n2");
        assertThat(denied.other().orElseThrow().scheduled()).contains(hour(11));
        assertThat(deny(hourly(8), "n3").reason()).as("a slot before the mark").isEqualTo(DenialReason.PASSED);
        assertThat(deny(hourly(11), "n3").reason()).isEqualTo(DenialReason.TAKEN);
    }

    @Test
    default void everySlotOfALaneIsGrantedInTurn() {
        for (int n = 0; n < 20; n++) {
            StoreAnswer answer = complete(hourly(n), "n" + n % 4);
            assertThat(answer.isOtherDefinition()).isFalse();
            assertThat(answer.abandoned()).isEmpty();
        }
    }

    @Test
    default void misfiredSlotIsKnownByItsNextFire() {
        complete(hourly(10), "n1");
        assertThat(deny(misfired(10, 7), "n2").reason()).isEqualTo(DenialReason.TAKEN);

        complete(misfired(11, 7), "n2");
        assertThat(deny(hourly(11), "n1").reason()).isEqualTo(DenialReason.TAKEN);
        assertThat(deny(misfired(11, 3), "n3").reason()).as("misfired less").isEqualTo(DenialReason.TAKEN);
        assertThat(deny(misfired(11, 30), "n4").reason()).as("misfired more").isEqualTo(DenialReason.TAKEN);
    }

    @Test
    default void misfireThatStandsForALaterSlotTakesThatOne() {
        complete(hourly(10), "n1");
        complete(misfired(12, 30), "n2");

        assertThat(deny(hourly(12), "n1").reason()).isEqualTo(DenialReason.TAKEN);
        assertThat(deny(hourly(11), "n1").reason()).isEqualTo(DenialReason.PASSED);
        complete(hourly(13), "n1");
    }

    @Test
    default void heldMovesNoMark() {
        Holder holder = holder("n1");
        StoreAnswer first = grant(hourly(10), holder);

        Denied denied = deny(hourly(11), "n2");

        assertThat(denied.reason()).isEqualTo(DenialReason.HELD);
        assertThat(denied.other().orElseThrow().node()).isEqualTo("n1");
        assertThat(denied.other().orElseThrow().scheduled()).contains(hour(10));
        assertThat(denied.other().orElseThrow().since()).isEqualTo(first.since());
        assertThat(denied.until()).contains(first.since().plus(Asks.LEASE));
        assertThat(store().release(LOCK, holder)).isTrue();
        complete(hourly(11), "n3");
        assertThat(deny(hourly(11), "n2").reason()).isEqualTo(DenialReason.TAKEN);
    }

    @Test
    default void twoTriggersAtOneInstantAreTwoSlots() {
        Holder holder = holder("n1");
        grant(in("first", slot(10)), holder);
        assertThat(deny(in("second", slot(10)), "n2").reason()).isEqualTo(DenialReason.HELD);
        assertThat(store().release(LOCK, holder)).isTrue();

        complete(in("second", slot(10)), "n2");

        assertThat(deny(in("first", slot(10)), "n2").other().orElseThrow().node())
                .isEqualTo("n1");
        assertThat(deny(in("second", slot(10)), "n1").other().orElseThrow().node())
                .isEqualTo("n2");
    }

    @Test
    default void otherDefinitionIsDeniedUpToTheMarksInstantAndFlagged() {
        complete(hourly(10), "n1");

        Denied same = deny(redefined(hour(10)), "n2");
        Denied earlier = deny(redefined(hour(10).minusMillis(1)), "n2");
        StoreAnswer later = complete(redefined(hour(10).plusMillis(1)), "n2");

        assertThat(same.reason()).isIn(DenialReason.TAKEN, DenialReason.PASSED);
        assertThat(same.isOtherDefinition()).isTrue();
        assertThat(earlier.reason()).isEqualTo(DenialReason.PASSED);
        assertThat(earlier.isOtherDefinition()).isTrue();
        assertThat(later.isOtherDefinition()).isTrue();
    }

    @Test
    default void nodesThatDisagreeAboutTheScheduleRunEachInstantOnce() {
        complete(redefined(hour(10)), "new");

        assertThat(deny(hourly(10), "old").isOtherDefinition()).isTrue();
        assertThat(complete(hourly(11), "old").isOtherDefinition()).isTrue();
        assertThat(deny(redefined(hour(11)), "new").isOtherDefinition()).isTrue();
        assertThat(complete(redefined(hour(12)), "new").isOtherDefinition()).isTrue();
        assertThat(complete(redefined(hour(13)), "new").isOtherDefinition())
                .as("where the mark is of the same definition")
                .isFalse();
    }

    @Test
    default void lastSlotBeforeAnEndTimeIsGrantedOnceAlsoAfterAMisfire() {
        Instant end = hour(10).plusSeconds(1800);
        complete(in(LANE, Slot.last(hour(10), end, CRON)), "n1");

        assertThat(deny(in(LANE, Slot.last(hour(10), end, CRON)), "n2").reason())
                .isEqualTo(DenialReason.TAKEN);
        assertThat(deny(in(LANE, Slot.last(hour(11), end, CRON)), "n2").reason())
                .as("misfired past the end")
                .isEqualTo(DenialReason.TAKEN);
        assertThat(deny(hourly(9), "n2").reason()).isEqualTo(DenialReason.PASSED);
        complete(hourly(11), "n2");
    }

    @Test
    default void misfiredLastSlotDeniesTheRegularOne() {
        Instant end = hour(10).plusSeconds(1800);
        complete(in(LANE, Slot.last(hour(11), end, CRON)), "n1");

        assertThat(deny(in(LANE, Slot.last(hour(10), end, CRON)), "n2").reason())
                .isEqualTo(DenialReason.TAKEN);
    }

    @Test
    default void lastSlotWithoutEndIsFollowedByNothing() {
        complete(in(LANE, Slot.last(hour(10), null, CRON)), "n1");

        assertThat(deny(in(LANE, Slot.last(hour(10), null, CRON)), "n2").reason())
                .isEqualTo(DenialReason.TAKEN);
        assertThat(deny(in(LANE, Slot.last(hour(12), null, CRON)), "n2").reason())
                .as("misfired")
                .isEqualTo(DenialReason.TAKEN);
        assertThat(deny(hourly(9), "n2").reason()).isEqualTo(DenialReason.PASSED);
        assertThat(deny(hourly(11), "n2").reason()).as("a later slot").isEqualTo(DenialReason.PASSED);
        assertThat(complete(redefined(hour(13)), "n2").isOtherDefinition()).isTrue();
    }

    @Test
    default void endTimeAtTheEndOfAllTimeIsAnEndTime() {
        JobRun last = in(LANE, Slot.last(hour(10), Instant.ofEpochMilli(Long.MAX_VALUE), CRON));

        complete(last, "n1");

        assertThat(deny(last, "n2").reason()).isEqualTo(DenialReason.TAKEN);
        assertThat(pttl()).isPositive();
    }

    @Test
    default void manualRunTouchesNoMark() {
        complete(hourly(10), "n1");
        complete(manual(), "n2");

        assertThat(deny(hourly(10), "n3").other().orElseThrow().node()).isEqualTo("n1");
        complete(hourly(11), "n3");
        complete(manual(), "n2");
        assertThat(deny(hourly(11), "n1").reason()).isEqualTo(DenialReason.TAKEN);
    }

    @Test
    default void runsOfEveryRuleExcludeOneAnother() {
        Holder manual = holder("n1");
        grant(manual(), manual);

        Denied denied = deny(hourly(10), "n2");
        assertThat(denied.reason()).isEqualTo(DenialReason.HELD);
        assertThat(denied.other().orElseThrow().scheduled()).isEmpty();
        assertThat(denied.other().orElseThrow().lane()).isEmpty();
        assertThat(deny(JobRun.interval(LOCK, "poll", Duration.ofMillis(1)), "n2")
                        .reason())
                .isEqualTo(DenialReason.HELD);
        assertThat(deny(manual(), "n2").reason()).isEqualTo(DenialReason.HELD);
        assertThat(store().release(LOCK, manual)).isTrue();
        grant(hourly(10), holder("n2"));
        assertThat(deny(manual(), "n1").reason()).isEqualTo(DenialReason.HELD);
    }

    @Test
    default void jobsUnderOneLockNameExcludeOneAnotherAndKeepTheirLanes() {
        JobRun export =
                JobRun.slot("export", "DEFAULT.export nightly", slot(10)).withLockName(LOCK);
        Holder holder = holder("n1");
        grant(export, holder);
        assertThat(deny(hourly(10), "n2").reason()).isEqualTo(DenialReason.HELD);
        assertThat(store().release(LOCK, holder)).isTrue();

        complete(hourly(10), "n2");

        assertThat(deny(export, "n3").reason()).isEqualTo(DenialReason.TAKEN);
    }

    private JobRun misfired(int n, int minutes) {
        return in(LANE, Slot.of(hour(n).plus(Duration.ofMinutes(minutes)), hour(n + 1), CRON));
    }

    private JobRun redefined(Instant scheduled) {
        return in(LANE, Slot.of(scheduled, scheduled.plus(Duration.ofMinutes(30)), "0 0/30 * * * ?"));
    }
}
