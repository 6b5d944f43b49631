package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockRequest;
import dev.joblock.StoreAnswer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Fencing tokens, and the answer to a holder that asks twice. */
interface TokenContract extends StoreFixture {

    @Test
    default void tokensRiseOverTenThousandGrants() {
        long last = 0;
        for (int i = 0; i < 10_000; i++) {
            Holder holder = holder("n" + i % 4);
            long token = store().acquire(new LockRequest(LOCK, manual(), holder, Asks.LEASE, true))
                    .fencingToken();
            if (token <= last || !store().release(LOCK, holder)) {
                throw new AssertionError("grant " + i + " has token " + token + " after " + last);
            }
            last = token;
        }
    }

    @Test
    default void tokenIsRedisTimeAtLeast() {
        StoreAnswer answer = grant(manual(), holder("n1"));

        assertThat(answer.fencingToken()).isEqualTo(answer.since().toEpochMilli());
    }

    @Test
    default void tokensRiseOverALostRecord() {
        long before = complete(manual(), "n1").fencingToken();
        lose();
        awaitPast(Instant.ofEpochMilli(before));

        assertThat(grant(manual(), holder("n2")).fencingToken()).isGreaterThan(before);
    }

    @Test
    default void tokensRiseOverLanesAndRules() {
        long first = complete(hourly(10), "n1").fencingToken();
        long second = complete(manual(), "n2").fencingToken();
        long third = complete(JobRun.interval(LOCK, "poll", Duration.ofHours(1)), "n1")
                .fencingToken();
        long fourth = complete(in("other", slot(10)), "n2").fencingToken();

        assertThat(new long[] {first, second, third, fourth}).isSorted().doesNotHaveDuplicates();
    }

    @Test
    default void tokenOfAnUnclaimedGrantIsNotUsedAgain() {
        Holder holder = holder("n1");
        long first = grant(hourly(10), holder).fencingToken();
        assertThat(store().unclaim(LOCK, holder)).isTrue();

        assertThat(grant(hourly(10), holder("n2")).fencingToken()).isGreaterThan(first);
    }

    @Test
    default void holderThatAsksTwiceGetsTheSameAnswer() {
        for (JobRun run : new JobRun[] {
            hourly(10), manual(), JobRun.interval(LOCK, "poll", Duration.ofHours(1)), hourly(11),
        }) {
            Holder holder = holder("n1");
            StoreAnswer first = grant(run, holder);

            for (int again = 0; again < 3; again++) {
                StoreAnswer second = grant(run, holder);
                assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
                assertThat(second.since()).isEqualTo(first.since());
            }
            assertThat(deny(manual(), "n2").other().orElseThrow().fencingToken())
                    .isEqualTo(first.fencingToken());
            assertThat(store().release(LOCK, holder)).isTrue();
        }
    }

    @Test
    default void holderThatAsksTwiceAfterATakeOverGetsTheSameAnswer() {
        die(hourly(10), "dead");
        Holder holder = holder("n1");
        StoreAnswer first = grant(hourly(11), holder);

        StoreAnswer second = grant(hourly(11), holder);

        assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
        complete(owedAfter(holder), "n2");
        assertThat(deny(owed(10), "n3").reason()).isNotEqualTo(DenialReason.STORE_DOWN);
    }

    @Test
    default void renewalKeepsTheToken() {
        Holder holder = holder("n1");
        long token = grant(manual(), holder).fencingToken();

        assertThat(store().renew(LOCK, holder, Duration.ofHours(1))).isTrue();

        assertThat(deny(manual(), "n2").other().orElseThrow().fencingToken()).isEqualTo(token);
    }

    private JobRun owedAfter(Holder holder) {
        assertThat(store().release(LOCK, holder)).isTrue();
        return owed(10);
    }
}
