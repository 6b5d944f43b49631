package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockRequest;
import dev.joblock.Slot;
import dev.joblock.StoreAnswer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A grant says which slots before its own were granted to nobody. */
interface PassedOverContract extends StoreFixture {

    @Test
    default void firstGrantOfALaneAndOneThatFollowsTheLastPassOverNothing() {
        assertThat(complete(hourly(10), "n1").passedOver()).isEmpty();
        assertThat(complete(hourly(11), "n2").passedOver()).isEmpty();
        assertThat(complete(hourly(12), "n1").passedOver()).isEmpty();
    }

    @Test
    default void grantTellsTheFirstSlotThatNobodyWasGranted() {
        complete(hourly(10), "n1");

        assertThat(complete(hourly(14), "n2").passedOver()).contains(hour(11));
        assertThat(complete(hourly(15), "n1").passedOver()).isEmpty();
        assertThat(complete(hourly(17), "n1").passedOver()).contains(hour(16));
    }

    @Test
    default void slotThatWasHeldOffAndGrantedLaterIsNotPassedOver() {
        Holder holder = holder("n1");
        grant(hourly(10), holder);
        deny(hourly(11), "n2");
        deny(hourly(12), "n2");
        assertThat(store().release(LOCK, holder)).isTrue();

        assertThat(complete(hourly(11), "n3").passedOver())
                .as("asked for again")
                .isEmpty();
        assertThat(complete(hourly(13), "n2").passedOver()).contains(hour(12));
    }

    @Test
    default void slotThatIsAskedForAgainByItsHolderPassesOverTheSame() {
        complete(hourly(10), "n1");
        Holder holder = holder("n2");

        assertThat(grant(hourly(13), holder).passedOver()).contains(hour(11));
        assertThat(grant(hourly(13), holder).passedOver()).contains(hour(11));
        assertThat(store().renew(LOCK, holder, Asks.LEASE)).isTrue();
        assertThat(grant(hourly(13), holder).passedOver()).contains(hour(11));
    }

    @Test
    default void grantAfterOneThatWasTakenBackPassesOverTheSameSlotsAndItsOwn() {
        complete(hourly(10), "n1");
        Holder vetoed = holder("n2");
        assertThat(grant(hourly(13), vetoed).passedOver()).contains(hour(11));
        assertThat(store().unclaim(LOCK, vetoed)).isTrue();
        Holder lost = holder("n3");
        assertThat(grant(hourly(14), lost).passedOver()).contains(hour(11));
        store().cancel(LOCK, lost);

        StoreAnswer next = complete(hourly(15), "n4");

        assertThat(next.passedOver()).contains(hour(11));
        assertThat(complete(hourly(16), "n4").passedOver()).isEmpty();
    }

    @Test
    default void slotWhoseNodeDiedIsNotPassedOver() {
        complete(hourly(10), "n1");
        die(hourly(11), "dead");

        assertThat(complete(hourly(13), "n2").passedOver()).contains(hour(12));
        assertThat(complete(owed(11), "n3").passedOver()).isEmpty();
        assertThat(complete(hourly(14), "n3").passedOver()).isEmpty();
    }

    @Test
    default void lastSlotOfATriggerIsFollowedByNothingThatCouldBePassedOver() {
        complete(in(LANE, Slot.last(hour(10), null, CRON)), "n1");

        assertThat(complete(half(hour(13)), "n2").passedOver()).isEmpty();
    }

    @Test
    default void markThatIsNotBelievedTellsNothing() {
        JobRun ahead = in(LANE, Slot.last(start().plus(Duration.ofDays(1)), null, CRON));
        Holder holder = holder("n1");
        assertThat(store().acquire(new LockRequest(LOCK, ahead, holder, Asks.LEASE, false))
                        .denial())
                .isEmpty();
        assertThat(store().release(LOCK, holder)).isTrue();

        assertThat(complete(hourly(10), "n2").passedOver()).isEmpty();
    }

    @Test
    default void marksOfTwoDefinitionsTellNothing() {
        complete(hourly(10), "old");

        assertThat(complete(half(hour(13)), "new").passedOver()).isEmpty();
        assertThat(complete(hourly(16), "old").passedOver()).isEmpty();
        assertThat(complete(hourly(18), "old").passedOver()).contains(hour(17));
    }

    @Test
    default void misfiredSlotIsFollowedByTheSameAsTheRegularOne() {
        complete(in(LANE, Slot.of(hour(10).plusSeconds(1800), hour(11), CRON)), "n1");

        assertThat(complete(in(LANE, Slot.of(hour(11).plusSeconds(60), hour(12), CRON)), "n2")
                        .passedOver())
                .as("from the regular time of the slot to that at which it misfired")
                .contains(hour(11));
        assertThat(complete(hourly(12), "n2").passedOver()).isEmpty();
    }

    @Test
    default void runsThatMoveNoMarkPassOverNothing() {
        complete(hourly(10), "n1");
        assertThat(complete(manual(), "n2").passedOver()).isEmpty();
        JobRun interval = JobRun.interval(LOCK, LANE, Duration.ofMillis(1));
        assertThat(complete(interval, "n2").passedOver()).isEmpty();
        awaitPast(store().time().plusMillis(100));
        assertThat(complete(interval, "n2").passedOver()).isEmpty();
        Holder again = holder("n2");
        grant(manual(), again);
        assertThat(grant(manual(), again).passedOver()).isEmpty();
        assertThat(store().release(LOCK, again)).isTrue();

        assertThat(complete(hourly(12), "n2").passedOver()).contains(hour(11));
        assertThat(ask(hourly(11), "n3").passedOver()).as("a denial").isEmpty();
    }

    private JobRun half(Instant scheduled) {
        return in(LANE, Slot.of(scheduled, scheduled.plus(Duration.ofMinutes(30)), "0 0/30 * * * ?"));
    }
}
