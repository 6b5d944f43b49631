package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An acquisition whose answer is not known, settled either way. */
interface CancelContract extends StoreFixture {

    @Test
    default void cancelAfterTheGrantTakesItBack() {
        complete(hourly(9), "n0");
        Holder holder = holder("n1");
        grant(hourly(10), holder);

        store().cancel(LOCK, holder);

        assertThat(deny(hourly(9), "n2").reason()).isEqualTo(DenialReason.TAKEN);
        complete(hourly(10), "n2");
        assertThat(store().release(LOCK, holder)).isFalse();
        assertThat(store().renew(LOCK, holder, Asks.LEASE)).isFalse();
    }

    @Test
    default void cancelBeforeALateRequestDeniesIt() {
        Holder late = holder("n1");

        store().cancel(LOCK, late);

        assertThat(Asks.ask(store(), hourly(10), late).denial()).isPresent();
        complete(hourly(10), "n2");
        assertThat(deny(hourly(10), "n3").other().orElseThrow().node()).isEqualTo("n2");
    }

    @Test
    default void cancelAfterTheGrantDeniesTheSameRequestArrivingOnceMore() {
        Holder holder = holder("n1");
        grant(hourly(10), holder);
        store().cancel(LOCK, holder);

        assertThat(Asks.ask(store(), hourly(10), holder).denial()).isPresent();
        complete(hourly(10), "n2");
    }

    @Test
    default void lateRequestOfEveryRuleIsDenied() {
        die(hourly(3), "dead");
        complete(manual(), "n0");
        for (JobRun run : List.of(hourly(10), manual(), owed(3), JobRun.interval(LOCK, "poll", Duration.ofHours(1)))) {
            Holder late = holder("n1");
            store().cancel(LOCK, late);

            assertThat(Asks.ask(store(), run, late).denial()).as("late %s", run).isPresent();

            complete(run, "n2");
        }
    }

    @Test
    default void cancelTouchesNobodyElsesLease() {
        Holder holder = holder("n1");
        grant(hourly(10), holder);

        store().cancel(LOCK, holder("n2"));
        store().cancel(LOCK, holder("n1"));

        assertThat(deny(manual(), "n3").other().orElseThrow().node()).isEqualTo("n1");
        assertThat(store().renew(LOCK, holder, Asks.LEASE)).isTrue();
        assertThat(store().release(LOCK, holder)).isTrue();
        assertThat(deny(hourly(10), "n3").reason()).isEqualTo(DenialReason.TAKEN);
    }

    @Test
    default void cancelAfterTheReleaseKeepsTheMark() {
        Holder holder = holder("n1");
        grant(hourly(10), holder);
        assertThat(store().release(LOCK, holder)).isTrue();

        store().cancel(LOCK, holder);

        assertThat(deny(hourly(10), "n2").reason()).isEqualTo(DenialReason.TAKEN);
    }

    @Test
    default void cancelTwiceIsLikeOnce() {
        Holder late = holder("n1");
        store().cancel(LOCK, late);
        store().cancel(LOCK, late);

        assertThat(Asks.ask(store(), hourly(10), late).denial()).isPresent();
        complete(hourly(10), "n2");
    }

    @Test
    default void tombstoneOutlivesGrantsOfOthersAndExpires() {
        Holder late = holder("n1");
        store().cancel(LOCK, late);
        assertThat(pttl()).isPositive();
        complete(hourly(9), "n2");
        complete(manual(), "n3");

        assertThat(Asks.ask(store(), hourly(10), late).denial()).isPresent();
        complete(hourly(10), "n2");
    }

    /** Sixteen at once: each of them must get its tombstone into the record. */
    @Test
    default void cancelsAtOneMomentAreAllSettled() throws Exception {
        List<Holder> late = Stream.generate(() -> holder("n")).limit(16).toList();
        Contest.play(
                16,
                1,
                round -> {},
                (round, player) -> {
                    store().cancel(LOCK, late.get(player));
                    return Asks.ask(store(), hourly(10), late.get(player));
                },
                (round, answers) -> assertThat(Contest.winners(answers)).isEmpty());

        complete(hourly(10), "n1");
    }
}
