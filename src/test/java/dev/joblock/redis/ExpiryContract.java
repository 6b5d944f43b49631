package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockRequest;
import dev.joblock.Slot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The record outlives what is in it by thirty days, and nothing outlives that. */
interface ExpiryContract extends StoreFixture {
    Duration KEPT = Duration.ofDays(30);
    Duration SLACK = Duration.ofMinutes(5);

    @Test
    default void recordIsKeptForThirtyDaysAfterTheLease() {
        grant(manual(), holder("n1"), Duration.ofDays(60));

        assertThat(ttl())
                .isBetween(KEPT.plusDays(60).minus(SLACK), KEPT.plusDays(60).plus(SLACK));
    }

    @Test
    default void recordIsKeptForThirtyDaysAfterTheNextSlot() {
        complete(in(LANE, Slot.of(hour(10), hour(10).plus(Duration.ofDays(365)), CRON)), "n1");

        Duration next = Duration.ofDays(365).minusHours(10);
        assertThat(ttl())
                .isBetween(KEPT.plus(next).minus(SLACK), KEPT.plus(next).plus(SLACK));
        complete(in("other", slot(10)), "n2");
        assertThat(ttl())
                .as("after a grant in another lane")
                .isGreaterThan(KEPT.plus(next).minus(SLACK));
    }

    @Test
    default void recordIsKeptForThirtyDaysAfterTheInterval() {
        complete(JobRun.interval(LOCK, "yearly", Duration.ofDays(365)), "n1");

        assertThat(ttl()).isGreaterThan(Duration.ofDays(365));
    }

    @Test
    default void recordOfTheLastSlotIsKeptForThirtyDaysAtLeast() {
        complete(in(LANE, Slot.last(hour(10), null, CRON)), "n1");

        assertThat(ttl()).isGreaterThan(KEPT.minusDays(1));
    }

    @Test
    default void recordIsKeptAfterARelease() {
        Holder holder = holder("n1");
        grant(hourly(19), holder, Duration.ofMillis(1));

        assertThat(ttl()).isGreaterThan(KEPT.minus(SLACK));
    }

    @Test
    default void renewalMovesTheExpiry() {
        Holder holder = holder("n1");
        grant(manual(), holder);

        assertThat(store().renew(LOCK, holder, Duration.ofDays(60))).isTrue();

        assertThat(ttl()).isGreaterThan(KEPT.plusDays(60).minus(SLACK));
    }

    @Test
    default void slotsOfAMonthAgoAreDroppedOnAGrantAndLaterOnesKept() {
        JobRun recent = in("recent", Slot.of(daysAgo(29), daysAgo(28), CRON));
        complete(recent, "n1");
        for (int lane = 0; lane < 5; lane++) {
            complete(in("lane" + lane, Slot.of(daysAgo(41), daysAgo(40), CRON)), "n1");
        }
        complete(hourly(9), "n1");
        int few = size();
        for (int lane = 5; lane < 100; lane++) {
            complete(in("lane" + lane, Slot.of(daysAgo(41), daysAgo(40), CRON)), "n1");
        }
        complete(hourly(10), "n1");

        assertThat(size()).as("size after 100 lanes that are over").isLessThan(few * 3 + 500);
        assertThat(deny(recent, "n2").reason()).isEqualTo(DenialReason.TAKEN);
        assertThat(deny(hourly(10), "n2").reason()).isEqualTo(DenialReason.TAKEN);
    }

    /** More than a script can hand to one command. */
    @ParameterizedTest
    @ValueSource(strings = {"x:%s 1", "m:%s 1 2 3 4 def node", "i:%s 1 2 3 4 % node", "o:%s 1 0 3 4 % node"})
    default void tenThousandFieldsThatAreOverAreDroppedAtOnce(String field) {
        complete(hourly(9), "n1");
        String[] command = new String[20_002];
        command[0] = "HSET";
        command[1] = recordKey();
        for (int i = 0; i < 10_000; i++) {
            command[2 * i + 2] = field.substring(0, 2) + i;
            command[2 * i + 3] = field.substring(field.indexOf(' ') + 1);
        }
        redis().call(command);

        complete(hourly(10), "n2");

        assertThat(deny(hourly(10), "n1").reason()).isEqualTo(DenialReason.TAKEN);
        assertThat(redis().text("HLEN", recordKey()).length())
                .as("digits of the size")
                .isLessThan(3);
        assertThat(pttl()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"9999-12-31T23:59:59Z", "+275760-09-13T00:00:00Z"})
    default void nextFireInAnotherAgeStillExpiresSomeDay(Instant next) {
        JobRun run = in(LANE, Slot.of(hour(10), next, CRON));
        Holder holder = holder("n1");
        assertThat(store().acquire(new LockRequest(LOCK, run, holder, Asks.LEASE, false))
                        .denial())
                .isEmpty();
        assertThat(store().release(LOCK, holder)).isTrue();

        assertThat(pttl()).isPositive();
        assertThat(deny(run, "n2").reason()).isEqualTo(DenialReason.TAKEN);
        assertThat(deny(hourly(15), "n2").reason()).isEqualTo(DenialReason.PASSED);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    default void noStepLeavesAKeyWithoutExpiry(long seed) {
        List<RandomWalk.Step> steps = RandomWalk.steps(seed, 150);
        RandomWalk walk = new RandomWalk(start());
        for (int i = 0; i < steps.size(); i++) {
            walk.take(steps.get(i), store());
            for (String name : RandomWalk.LOCKS) {
                assertThat(redis().text("PTTL", prefix() + name))
                        .as("step %s %s of seed %s, key of %s", i, steps.get(i), seed, name)
                        .isNotEqualTo("-1");
            }
        }
    }

    private Duration ttl() {
        return Duration.ofMillis(pttl());
    }

    private Instant daysAgo(int days) {
        return start().minus(Duration.ofDays(days));
    }

    private int size() {
        return ((List<?>) Objects.requireNonNull(redis().call("HGETALL", key())))
                .stream().mapToInt(text -> text.toString().length()).sum();
    }
}
