package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.Slot;
import dev.joblock.StoreAnswer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A grant that is taken back, as if it had not been. */
interface UnclaimContract extends StoreFixture {

    @Test
    default void unclaimedSlotMayBeTakenByAnotherNodeOnce() {
        grantAndUnclaim(hourly(10));

        complete(hourly(10), "n2");

        Denied denied = deny(hourly(10), "n3");
        assertThat(denied.reason()).isEqualTo(DenialReason.TAKEN);
        assertThat(denied.other().orElseThrow().node()).isEqualTo("n2");
    }

    @Test
    default void unclaimRestoresThePreviousMark() {
        StoreAnswer before = complete(hourly(10), "n1");
        grantAndUnclaim(hourly(12));

        Denied denied = deny(hourly(10), "n3");

        assertThat(denied.reason()).isEqualTo(DenialReason.TAKEN);
        assertThat(denied.other().orElseThrow().node()).isEqualTo("n1");
        assertThat(denied.other().orElseThrow().fencingToken()).isEqualTo(before.fencingToken());
        assertThat(denied.other().orElseThrow().since()).isEqualTo(before.since());
        assertThat(deny(hourly(9), "n3").reason()).isEqualTo(DenialReason.PASSED);
        complete(hourly(11), "n3");
        complete(hourly(12), "n3");
    }

    @Test
    default void unclaimOfALanesFirstSlotLeavesNoMark() {
        grantAndUnclaim(hourly(12));

        complete(hourly(10), "n2");
        complete(hourly(12), "n2");
    }

    @Test
    default void unclaimRestoresAMarkOfAnotherDefinition() {
        complete(in(LANE, Slot.of(hour(10), hour(10).plusSeconds(1800), "0 0/30 * * * ?")), "n1");
        grantAndUnclaim(hourly(11));

        assertThat(deny(hourly(10), "n2").isOtherDefinition()).isTrue();
        assertThat(complete(hourly(11), "n2").isOtherDefinition()).isTrue();
    }

    @Test
    default void unclaimLeavesOtherLanesAlone() {
        complete(in("other", slot(11)), "n1");
        grantAndUnclaim(hourly(10));

        assertThat(deny(in("other", slot(11)), "n2").reason()).isEqualTo(DenialReason.TAKEN);
        complete(hourly(10), "n2");
    }

    @Test
    default void unclaimRestoresThePreviousLastStart() {
        JobRun run = JobRun.interval(LOCK, "poll", Duration.ofMillis(600));
        Instant first = complete(run, "n1").since();
        awaitPast(first.plusMillis(600));
        grantAndUnclaim(run);
        StoreAnswer again = complete(run, "n2");

        assertThat(deny(run, "n3").other().orElseThrow().since()).isEqualTo(again.since());
    }

    @Test
    default void unclaimOfTheFirstIntervalRunLeavesNoLastStart() {
        JobRun run = JobRun.interval(LOCK, "poll", Duration.ofHours(1));
        grantAndUnclaim(run);

        complete(run, "n2");

        assertThat(deny(run, "n3").reason()).isEqualTo(DenialReason.TOO_SOON);
    }

    @Test
    default void unclaimKeepsTheIntervalOfTheRunBefore() {
        JobRun run = JobRun.interval(LOCK, "poll", Duration.ofHours(1));
        StoreAnswer first = complete(run, "n1");
        grantAndUnclaim(JobRun.interval(LOCK, "poll", Duration.ofMillis(1)));

        Denied denied = deny(run, "n3");

        assertThat(denied.reason()).isEqualTo(DenialReason.TOO_SOON);
        assertThat(denied.other().orElseThrow().node()).isEqualTo("n1");
        assertThat(denied.until().orElseThrow()).isBeforeOrEqualTo(first.since().plusSeconds(3600));
    }

    @Test
    default void unclaimOfAManualRunFreesTheLock() {
        complete(hourly(10), "n1");
        grantAndUnclaim(manual());

        complete(manual(), "n2");
        assertThat(deny(hourly(10), "n2").reason()).isEqualTo(DenialReason.TAKEN);
    }

    @Test
    default void onlyTheHolderUnclaims() {
        Holder holder = holder("n1");
        grant(hourly(10), holder);

        assertThat(store().unclaim(LOCK, holder("n2"))).isFalse();
        assertThat(store().unclaim(LOCK, holder("n1"))).isFalse();

        assertThat(deny(manual(), "n3").reason()).isEqualTo(DenialReason.HELD);
        assertThat(store().release(LOCK, holder)).isTrue();
        assertThat(deny(hourly(10), "n3").reason()).isEqualTo(DenialReason.TAKEN);
    }

    @Test
    default void unclaimAfterTheReleaseChangesNothing() {
        Holder holder = holder("n1");
        grant(hourly(10), holder);
        assertThat(store().release(LOCK, holder)).isTrue();

        assertThat(store().unclaim(LOCK, holder)).isFalse();

        assertThat(deny(hourly(10), "n2").reason()).isEqualTo(DenialReason.TAKEN);
    }

    @Test
    default void secondUnclaimChangesNothing() {
        Holder holder = holder("n1");
        complete(hourly(9), "n1");
        grant(hourly(10), holder);
        assertThat(store().unclaim(LOCK, holder)).isTrue();
        complete(hourly(10), "n2");

        assertThat(store().unclaim(LOCK, holder)).isFalse();
        assertThat(store().release(LOCK, holder)).isFalse();

        assertThat(deny(hourly(10), "n3").other().orElseThrow().node()).isEqualTo("n2");
    }

    @Test
    default void unclaimByAnOvertakenHolderChangesNothing() {
        Holder dead = holder("n1");
        Instant since = grant(hourly(10), dead, Duration.ofMillis(1)).since();
        awaitPast(since.plusMillis(1));
        Holder living = holder("n2");
        grant(hourly(11), living);

        assertThat(store().unclaim(LOCK, dead)).isFalse();

        assertThat(deny(manual(), "n3").other().orElseThrow().node()).isEqualTo("n2");
        assertThat(store().release(LOCK, living)).isTrue();
        assertThat(deny(hourly(11), "n3").reason()).isEqualTo(DenialReason.TAKEN);
        assertThat(deny(hourly(10), "n3").reason()).isEqualTo(DenialReason.PASSED);
    }

    @Test
    default void unclaimAfterARenewalAndARepeatedAskRestoresAllTheSame() {
        complete(hourly(9), "n0");
        Holder holder = holder("n1");
        grant(hourly(10), holder);
        grant(hourly(10), holder);
        assertThat(store().renew(LOCK, holder, Asks.LEASE)).isTrue();

        assertThat(store().unclaim(LOCK, holder)).isTrue();

        assertThat(deny(hourly(9), "n2").reason()).isEqualTo(DenialReason.TAKEN);
        complete(hourly(10), "n2");
    }

    @Test
    default void unclaimedGrantIsNotAbandoned() {
        grantAndUnclaim(hourly(10));

        assertThat(complete(hourly(10), "n2").abandoned()).isEmpty();
        assertThat(ask(owed(10), "n3").denial()).isPresent();
    }

    private void grantAndUnclaim(JobRun run) {
        Holder holder = holder("unclaimed");
        grant(run, holder);
        assertThat(store().unclaim(LOCK, holder)).isTrue();
    }
}
