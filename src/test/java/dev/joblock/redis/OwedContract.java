package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import dev.joblock.StoreAnswer;
import org.junit.jupiter.api.Test;

/** Slots that are owed: started, cut short, and granted once more to whoever asks for that very slot. */
interface OwedContract extends StoreFixture {

    @Test
    default void abandonedSlotIsOwedOnceWhateverTheMark() {
        die(hourly(10), "dead");
        complete(hourly(12), "n1");

        complete(owed(10), "n2");

        assertNotOwed(10);
        assertThat(deny(hourly(12), "n3").reason()).as("the mark").isEqualTo(DenialReason.TAKEN);
        assertThat(deny(hourly(11), "n3").reason()).isEqualTo(DenialReason.PASSED);
        complete(hourly(13), "n3");
    }

    @Test
    default void slotOfADeadRunThatNobodyTookOverIsOwed() {
        die(hourly(10), "dead");

        Holder holder = holder("n1");
        RecordedRun abandoned = grant(owed(10), holder).abandoned().orElseThrow();

        assertThat(abandoned.node()).isEqualTo("dead");
        assertThat(abandoned.scheduled()).contains(hour(10));
        assertThat(store().release(LOCK, holder)).isTrue();
        assertNotOwed(10);
        assertThat(deny(hourly(10), "n3").reason()).isEqualTo(DenialReason.TAKEN);
    }

    @Test
    default void owedSlotIsTakenByOneOfSixteen() throws Exception {
        Contest.play(
                16,
                20,
                round -> die(in(LANE, Contest.minute(start(), round)), "dead"),
                (round, player) -> {
                    JobRun owed = JobRun.owed(
                            LOCK, LANE, Contest.minute(start(), round).scheduled());
                    Holder holder = holder("n" + player);
                    StoreAnswer answer = Asks.ask(store(), owed, holder);
                    if (answer.denial().isEmpty()) {
                        store().release(LOCK, holder);
                    }
                    return answer;
                },
                (round, answers) -> assertThat(Contest.winners(answers))
                        .as("winners of round %s", round)
                        .hasSize(1));
    }

    @Test
    default void slotThatWasRunToItsEndIsNotOwed() {
        complete(hourly(10), "n1");

        assertNotOwed(10);
        assertNotOwed(9);
        assertNotOwed(11);
    }

    @Test
    default void slotThatIsRunningIsNotOwed() {
        grant(hourly(10), holder("n1"));

        assertThat(ask(owed(10), "n2").denial()).isPresent();
    }

    @Test
    default void nothingIsOwedWhereThereIsNoRecord() {
        assertThat(ask(owed(10), "n1").denial()).isPresent();
        assertThat(exists()).isFalse();
    }

    @Test
    default void heldDoesNotUseUpWhatIsOwed() {
        die(hourly(10), "dead");
        Holder holder = holder("n1");
        grant(hourly(11), holder);

        Denied denied = deny(owed(10), "n2");

        assertThat(denied.reason()).isEqualTo(DenialReason.HELD);
        assertThat(denied.other().orElseThrow().node()).isEqualTo("n1");
        assertThat(store().release(LOCK, holder)).isTrue();
        complete(owed(10), "n2");
        assertNotOwed(10);
    }

    @Test
    default void newerOwedSlotReplacesAnOlderOne() {
        die(hourly(10), "dead");
        RecordedRun first = die(hourly(11), "dead too").abandoned().orElseThrow();
        RecordedRun second = complete(hourly(12), "n1").abandoned().orElseThrow();

        assertThat(first.scheduled()).contains(hour(10));
        assertThat(second.scheduled()).contains(hour(11));
        assertNotOwed(10);
        complete(owed(11), "n2");
        assertNotOwed(11);
    }

    @Test
    default void eachLaneOwesItsOwn() {
        die(in("first", slot(10)), "dead");
        die(in("second", slot(10)), "dead too");
        complete(manual(), "n1");

        complete(JobRun.owed(LOCK, "second", hour(10)), "n2");
        complete(JobRun.owed(LOCK, "first", hour(10)), "n2");

        assertThat(ask(JobRun.owed(LOCK, "first", hour(10)), "n3").denial()).isPresent();
        assertThat(ask(JobRun.owed(LOCK, "second", hour(10)), "n3").denial()).isPresent();
        assertThat(ask(JobRun.owed(LOCK, "third", hour(10)), "n3").denial()).isPresent();
    }

    @Test
    default void onlyThatVerySlotIsOwed() {
        die(hourly(10), "dead");
        complete(manual(), "n1");

        assertNotOwed(9);
        assertNotOwed(11);
        assertThat(ask(JobRun.owed(LOCK, LANE, hour(10).plusMillis(1)), "n2").denial())
                .isPresent();
        complete(owed(10), "n2");
    }

    @Test
    default void owedRunThatDiesIsOwedAgain() {
        die(hourly(10), "dead");
        die(owed(10), "dead too");

        RecordedRun abandoned = complete(hourly(11), "n1").abandoned().orElseThrow();

        assertThat(abandoned.node()).isEqualTo("dead too");
        assertThat(abandoned.scheduled()).contains(hour(10));
        complete(owed(10), "n2");
        assertNotOwed(10);
    }

    @Test
    default void unclaimedOwedRunIsStillOwed() {
        die(hourly(10), "dead");
        complete(hourly(11), "n1");
        Holder holder = holder("n2");
        grant(owed(10), holder);

        assertThat(store().unclaim(LOCK, holder)).isTrue();

        assertThat(deny(hourly(11), "n3").reason()).isEqualTo(DenialReason.TAKEN);
        complete(owed(10), "n3");
        assertNotOwed(10);
    }

    @Test
    default void unclaimAfterATakeOverLeavesTheSlotOwed() {
        die(hourly(10), "dead");
        Holder holder = holder("n1");
        grant(hourly(11), holder);

        assertThat(store().unclaim(LOCK, holder)).isTrue();

        complete(owed(10), "n2");
        assertNotOwed(10);
        complete(hourly(11), "n2");
    }

    @Test
    default void manualRunIsNeverOwed() {
        die(manual(), "dead");
        assertThat(complete(manual(), "n1").abandoned()).isPresent();

        assertThat(ask(owed(10), "n2").denial()).isPresent();
    }

    private void assertNotOwed(int n) {
        Denied denied = deny(owed(n), "nobody");
        assertThat(denied.reason()).as("denial of owed %s", n).isIn(DenialReason.TAKEN, DenialReason.PASSED);
    }
}
