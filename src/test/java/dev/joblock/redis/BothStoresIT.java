package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockStore;
import dev.joblock.Slot;
import dev.joblock.StoreAnswer;
import dev.joblock.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes of both modes on one record: they exclude one another, and answer alike. */
class BothStoresIT {
    private static final String LOCK = "invoice";
    private static final String LANE = "nightly";
    private final RedisServer redis = RedisServer.shared();
    private final RedisClient client = RedisClient.of(redis, 20);
    private final String prefix = "both:" + UUID.randomUUID() + ":";
    private final LockStore hash = new HashTimestampStore(client.template(), prefix);
    private final LockStore status = new StatusTimeStore(client.template(), prefix);
    private final Instant start = hash.time();

    @AfterEach
    void closeClient() {
        client.close();
    }

    @Test
    void grantInOneModeIsDeniedInTheOther() {
        assertSeen(hash, status, 0);
        assertSeen(status, hash, 100);
    }

    @Test
    void leaseOfOneModeIsRenewedReleasedAndTakenBackInTheOther() {
        assertServed(hash, status, 0);
        assertServed(status, hash, 100);
    }

    @Test
    void deadLeaseOfOneModeIsAbandonedAndOwedInTheOther() {
        assertTakenOver(hash, status, 0);
        assertTakenOver(status, hash, 100);
    }

    @Test
    void tombstoneOfOneModeDeniesInTheOther() {
        Holder late = Asks.holder("n1");
        hash.cancel(LOCK, late);
        assertThat(Asks.ask(status, minute(1), late).denial()).isPresent();

        Holder later = Asks.holder("n2");
        status.cancel(LOCK, later);
        assertThat(Asks.ask(hash, minute(1), later).denial()).isPresent();
        Asks.complete(hash, minute(1), "n3");
    }

    @Test
    void mixedThreadsHaveOneWinnerARound() throws Exception {
        Holder[] holders = new Holder[16];
        int[] winsByMode = {0, 0};
        Contest.play(
                16,
                500,
                round -> {},
                (round, player) -> {
                    holders[player] = Asks.holder("n" + player);
                    StoreAnswer answer = Asks.ask(store(player), minute(round), holders[player]);
                    if (answer.denial().isEmpty() && round % 2 == 0) {
                        assertThat(store(player).release(LOCK, holders[player])).isTrue();
                    }
                    return answer;
                },
                (round, answers) -> {
                    List<Integer> winners = Contest.winners(answers);
                    assertThat(winners).as("winners of round %s", round).hasSize(1);
                    int winner = winners.get(0);
                    winsByMode[winner % 2]++;
                    for (StoreAnswer answer : answers) {
                        answer.denial().ifPresent(denied -> {
                            assertThat(denied.reason()).isIn(DenialReason.TAKEN, DenialReason.HELD);
                            assertThat(denied.other().orElseThrow().node()).isEqualTo("n" + winner);
                        });
                    }
                    if (round % 2 == 1) {
                        assertThat(store(winner + 1).release(LOCK, holders[winner]))
                                .isTrue();
                    }
                });

        assertThat(winsByMode[0] + winsByMode[1]).isEqualTo(500);
    }

    /** The same walk on three records, of one mode, of the other, and of both in turn: the same words after each step. */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16})
    void bothModesAnswerAlikeStepByStep(long seed) {
        LockStore hashAlone = new HashTimestampStore(client.template(), prefix + "h:");
        LockStore statusAlone = new StatusTimeStore(client.template(), prefix + "s:");
        RandomWalk walk = new RandomWalk(start);
        List<RandomWalk.Step> steps = RandomWalk.steps(seed, 200);
        for (int i = 0; i < steps.size(); i++) {
            RandomWalk.Step step = steps.get(i);
            String expected = walk.take(step, hashAlone);

            assertThat(walk.take(step, statusAlone))
                    .as("status-time at step %s %s of seed %s", i, step, seed)
                    .isEqualTo(expected);
            assertThat(walk.take(step, store(i)))
                    .as("mixed at step %s %s of seed %s", i, step, seed)
                    .isEqualTo(expected);
            for (String lock : RandomWalk.LOCKS) {
                assertThat(fields("s:" + lock))
                        .as("fields after step %s %s of seed %s", i, step, seed)
                        .isEqualTo(fields("h:" + lock))
                        .isEqualTo(fields(lock));
            }
        }
    }

    private void assertSeen(LockStore one, LockStore other, int from) {
        Holder holder = Asks.holder("n1");
        StoreAnswer answer = Asks.grant(one, minute(from + 1), holder);
        Denied held = Asks.deny(other, minute(from + 2), Asks.holder("n2"));
        assertThat(held.reason()).isEqualTo(DenialReason.HELD);
        assertThat(held.until()).contains(answer.since().plus(Asks.LEASE));
        assertThat(Asks.grant(other, minute(from + 1), holder).fencingToken())
                .as("the same holder in the other mode")
                .isEqualTo(answer.fencingToken());
        assertThat(one.release(LOCK, holder)).isTrue();
        Denied taken = Asks.deny(other, minute(from + 1), Asks.holder("n2"));
        assertThat(taken.reason()).isEqualTo(DenialReason.TAKEN);
        assertThat(taken.other().orElseThrow())
                .usingRecursiveComparison()
                .isEqualTo(Asks.deny(one, minute(from + 1), Asks.holder("n2"))
                        .other()
                        .orElseThrow());
        assertThat(Asks.deny(other, minute(from), Asks.holder("n2")).reason()).isEqualTo(DenialReason.PASSED);
        assertThat(Asks.complete(other, minute(from + 2), "n2").fencingToken()).isGreaterThan(answer.fencingToken());
        JobRun poll = JobRun.interval(LOCK, "poll" + from, Duration.ofHours(1));
        Asks.complete(one, poll, "n1");
        assertThat(Asks.deny(other, poll, Asks.holder("n2")).reason()).isEqualTo(DenialReason.TOO_SOON);
    }

    private void assertServed(LockStore one, LockStore other, int from) {
        Holder holder = Asks.holder("n1");
        Asks.grant(one, minute(from + 1), holder);
        assertThat(other.renew(LOCK, Asks.holder("n1"), Asks.LEASE)).isFalse();
        assertThat(other.renew(LOCK, holder, Duration.ofHours(1))).isTrue();
        assertThat(other.release(LOCK, holder)).isTrue();
        assertThat(one.release(LOCK, holder)).isTrue();
        Holder unclaimed = Asks.holder("n2");
        Asks.grant(one, minute(from + 3), unclaimed);
        assertThat(other.unclaim(LOCK, unclaimed)).isTrue();
        assertThat(Asks.deny(one, minute(from + 1), Asks.holder("n3")).reason()).isEqualTo(DenialReason.TAKEN);
        Holder cancelled = Asks.holder("n3");
        Asks.grant(one, minute(from + 2), cancelled);
        other.cancel(LOCK, cancelled);
        Asks.complete(one, minute(from + 2), "n4");
    }

    private void assertTakenOver(LockStore one, LockStore other, int from) {
        Asks.die(one, minute(from + 1), "dead");
        StoreAnswer next = Asks.complete(other, minute(from + 2), "n2");
        assertThat(next.abandoned().orElseThrow().node()).isEqualTo("dead");
        JobRun owed = JobRun.owed(LOCK, LANE, slot(from + 1).scheduled());
        Asks.complete(one, owed, "n3");
        Asks.deny(other, owed, Asks.holder("n4"));
        Asks.deny(one, owed, Asks.holder("n4"));
    }

    private LockStore store(int player) {
        return player % 2 == 0 ? hash : status;
    }

    private Slot slot(int n) {
        return Contest.minute(start, n);
    }

    private JobRun minute(int n) {
        return JobRun.slot(LOCK, LANE, slot(n));
    }

    private Set<String> fields(String name) {
        List<?> record = (List<?>) Objects.requireNonNull(redis.call("HKEYS", prefix + name));
        Set<String> fields = new TreeSet<>();
        IntStream.range(0, record.size()).forEach(i -> fields.add(record.get(i).toString()));
        return fields;
    }
}
