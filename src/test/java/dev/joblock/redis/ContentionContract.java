package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.StoreAnswer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sixteen threads through a barrier, five hundred rounds, one winner in each. */
interface ContentionContract extends StoreFixture {
    int PLAYERS = 16;
    int ROUNDS = 500;

    @Test
    default void exclusiveLockHasOneWinnerARound() throws Exception {
        Holder[] holders = new Holder[PLAYERS];
        int[] wins = {0};
        Map<DenialReason, Integer> denials = new EnumMap<>(DenialReason.class);
        Contest.play(
                PLAYERS,
                ROUNDS,
                round -> {},
                (round, player) -> {
                    holders[player] = holder("n" + player);
                    return Asks.ask(store(), manual(), holders[player]);
                },
                (round, answers) -> {
                    int winner = onlyWinner(round, answers);
                    wins[0]++;
                    for (StoreAnswer answer : answers) {
                        answer.denial().ifPresent(denied -> count(denials, denied, "n" + winner));
                    }
                    assertThat(store().release(LOCK, holders[winner])).isTrue();
                });

        assertThat(wins[0]).isEqualTo(ROUNDS);
        assertThat(denials).containsExactly(Map.entry(DenialReason.HELD, ROUNDS * (PLAYERS - 1)));
    }

    /** The winner releases at once, as a job that is over in no time does, while others still ask. */
    @Test
    default void newSlotHasOneWinnerARoundThoughItReleasesAtOnce() throws Exception {
        int[] wins = {0};
        Map<DenialReason, Integer> denials = new EnumMap<>(DenialReason.class);
        Contest.play(
                PLAYERS,
                ROUNDS,
                round -> {},
                (round, player) -> {
                    Holder holder = holder("n" + player);
                    StoreAnswer answer = Asks.ask(store(), minutely(round), holder);
                    if (answer.denial().isEmpty()) {
                        assertThat(store().release(LOCK, holder)).isTrue();
                    }
                    return answer;
                },
                (round, answers) -> {
                    int winner = onlyWinner(round, answers);
                    wins[0]++;
                    for (StoreAnswer answer : answers) {
                        answer.denial().ifPresent(denied -> count(denials, denied, "n" + winner));
                    }
                });

        assertThat(wins[0]).isEqualTo(ROUNDS);
        assertThat(denials.keySet()).isSubsetOf(DenialReason.TAKEN, DenialReason.HELD);
        assertThat(denials.values().stream().mapToInt(n -> n).sum()).isEqualTo(ROUNDS * (PLAYERS - 1));
        for (int round = 0; round < ROUNDS - 1; round += 50) {
            assertThat(deny(minutely(round), "late").reason()).isEqualTo(DenialReason.PASSED);
        }
        assertThat(deny(minutely(ROUNDS - 1), "late").reason()).isEqualTo(DenialReason.TAKEN);
    }

    /** Each thread adds to a plain number while it has the lock: none of the sums may be lost. */
    @Test
    default void workUnderTheLockNeverOverlaps() throws Exception {
        int[] plain = {0};
        int[] granted = new int[8];
        Contest.play(
                8,
                1,
                round -> {},
                (round, player) -> {
                    StoreAnswer last = null;
                    for (int i = 0; i < 200 || last == null; i++) {
                        Holder holder = holder("n" + player);
                        last = Asks.ask(store(), manual(), holder);
                        if (last.denial().isEmpty()) {
                            int read = plain[0];
                            assertThat(store().renew(LOCK, holder, Asks.LEASE)).isTrue();
                            plain[0] = read + 1;
                            granted[player]++;
                            assertThat(store().release(LOCK, holder)).isTrue();
                        }
                    }
                    return last;
                },
                (round, answers) -> {
                    int sum = 0;
                    for (int grants : granted) {
                        sum += grants;
                    }
                    assertThat(plain[0]).isEqualTo(sum).isPositive();
                });
    }

    private JobRun minutely(int round) {
        return in(LANE, Contest.minute(start(), round));
    }

    private static int onlyWinner(int round, List<StoreAnswer> answers) {
        List<Integer> winners = Contest.winners(answers);
        assertThat(winners).as("winners of round %s", round).hasSize(1);
        return winners.get(0);
    }

    private static void count(Map<DenialReason, Integer> denials, Denied denied, String winner) {
        assertThat(denied.other().orElseThrow().node()).isEqualTo(winner);
        denials.merge(denied.reason(), 1, Integer::sum);
    }
}
