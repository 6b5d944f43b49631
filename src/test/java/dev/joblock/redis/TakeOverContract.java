package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import dev.joblock.Slot;
import dev.joblock.StoreAnswer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dead leases: taken over once, and told to whoever takes them over. */
interface TakeOverContract extends StoreFixture {

    @Test
    default void deadLeaseIsTakenOverOnceByOneOfSixteen() throws Exception {
        RecordedRun[] died = new RecordedRun[40];
        Slot[] slots = new Slot[died.length];
        Contest.play(
                16,
                died.length,
                round -> {
                    slots[round] = Contest.minute(start(), 2 * round);
                    StoreAnswer dead = die(in(LANE, slots[round]), "dead" + round);
                    died[round] = new RecordedRun(
                            "dead" + round, LANE, slots[round].scheduled(), dead.since(), dead.fencingToken());
                },
                (round, player) -> ask(in(LANE, Contest.minute(start(), 2 * round + 1)), "n" + player),
                (round, answers) -> {
                    List<Integer> winners = Contest.winners(answers);
                    assertThat(winners).as("winners of round %s", round).hasSize(1);
                    assertAbandoned(answers.get(winners.get(0)), died[round]);
                    for (StoreAnswer answer : answers) {
                        answer.denial().ifPresent(denied -> {
                            assertThat(denied.reason()).isIn(DenialReason.HELD, DenialReason.TAKEN);
                            assertThat(denied.other().orElseThrow().node()).isEqualTo("n" + winners.get(0));
                        });
                    }
                    lose();
                });
    }

    @Test
    default void runThatReleasedIsNotAbandoned() {
        complete(hourly(10), "n1");

        assertThat(complete(hourly(11), "n2").abandoned()).isEmpty();
    }

    @Test
    default void livingLeaseIsNotTakenOver() {
        grant(hourly(10), holder("n1"), Duration.ofHours(1));

        assertThat(deny(hourly(11), "n2").reason()).isEqualTo(DenialReason.HELD);
    }

    @Test
    default void abandonedRunIsReturnedToTheNextGrantOfAnyRuleAndNotAgain() {
        StoreAnswer dead = die(hourly(10), "dead");
        StoreAnswer next = complete(manual(), "n1");

        assertAbandoned(next, new RecordedRun("dead", LANE, hour(10), dead.since(), dead.fencingToken()));
        assertThat(complete(hourly(11), "n1").abandoned()).isEmpty();
    }

    @Test
    default void abandonedRunWithoutSlotIsReturnedToo() {
        StoreAnswer dead = die(manual(), "dead");

        StoreAnswer next = complete(hourly(10), "n1");

        assertAbandoned(next, new RecordedRun("dead", "", null, dead.since(), dead.fencingToken()));
    }

    @Test
    default void abandonedIntervalRunIsReturnedToo() {
        StoreAnswer dead = die(JobRun.interval(LOCK, "poll", Duration.ofHours(1)), "dead");

        StoreAnswer next = complete(manual(), "n1");

        assertAbandoned(next, new RecordedRun("dead", "poll", null, dead.since(), dead.fencingToken()));
        assertThat(deny(JobRun.interval(LOCK, "poll", Duration.ofHours(1)), "n1")
                        .reason())
                .isEqualTo(DenialReason.TOO_SOON);
    }

    @Test
    default void deniedRequestTakesNothingOver() {
        die(hourly(10), "dead");

        assertThat(deny(hourly(10), "n1").reason()).isEqualTo(DenialReason.TAKEN);
        assertThat(deny(hourly(9), "n1").reason()).isEqualTo(DenialReason.PASSED);

        assertThat(complete(hourly(11), "n1").abandoned()).isPresent();
    }

    @Test
    default void slotOfADeadRunStaysTaken() {
        die(hourly(10), "dead");
        complete(manual(), "n1");

        assertThat(deny(hourly(10), "n2").reason()).isEqualTo(DenialReason.TAKEN);
    }

    @Test
    default void holderThatDiesAfterARenewalIsAbandonedToo() {
        Holder holder = holder("dead");
        grant(hourly(10), holder);
        assertThat(store().renew(LOCK, holder, Duration.ofMillis(1))).isTrue();
        awaitPast(store().time().plusMillis(1));

        assertThat(complete(hourly(11), "n1").abandoned().orElseThrow().node()).isEqualTo("dead");
    }

    private static void assertAbandoned(StoreAnswer answer, RecordedRun dead) {
        assertThat(answer.abandoned())
                .hasValueSatisfying(
                        run -> assertThat(run).usingRecursiveComparison().isEqualTo(dead));
        assertThat(answer.fencingToken()).isGreaterThan(dead.fencingToken());
    }
}
