package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Records of a server whose clock has been set back by a day: written with times of a future that is not there any more. */
interface SteppedClockContract extends StoreFixture {
    Duration STEP = Duration.ofDays(1);

    @Test
    default void tokensGoOnRising() {
        complete(manual(), "n1");
        long future = start().plus(STEP).toEpochMilli();
        redis().call("HSET", recordKey(), "token", Long.toString(future));

        assertThat(complete(manual(), "n2").fencingToken()).isEqualTo(future + 1);
        assertThat(complete(hourly(10), "n2").fencingToken()).isEqualTo(future + 2);
    }

    @Test
    default void leaseEndsOneLeaseFromNowAtTheLatest() {
        Holder holder = holder("n1");
        grant(hourly(10), holder);
        String future = Long.toString(start().plus(STEP).toEpochMilli());
        redis().call("HSET", recordKey(), "until", future, "time", future);

        Denied first = deny(manual(), "n2");

        assertThat(first.until().orElseThrow())
                .isBefore(store().time().plus(Asks.LEASE).plusMillis(1));
        assertThat(first.other().orElseThrow().since()).isBeforeOrEqualTo(store().time());
        awaitPast(store().time().plusMillis(20));
        assertThat(deny(manual(), "n2").until()).as("asked again").isEqualTo(first.until());
        assertThat(store().renew(LOCK, holder, Asks.LEASE)).isTrue();
        assertThat(store().release(LOCK, holder)).isTrue();
    }

    @Test
    default void intervalEndsOneIntervalFromNowAtTheLatest() {
        JobRun poll = JobRun.interval(LOCK, "poll", Duration.ofSeconds(10));
        complete(poll, "n1");
        String future = Long.toString(start().plus(STEP).toEpochMilli());
        redis().call("HSET", recordKey(), "i:poll", future + " 10000 " + future + " 1 % n1");

        Denied first = deny(poll, "n2");

        assertThat(first.reason()).isEqualTo(DenialReason.TOO_SOON);
        Instant now = store().time();
        assertThat(first.until().orElseThrow()).isBefore(now.plusMillis(10_001));
        assertThat(first.other().orElseThrow().since()).isBeforeOrEqualTo(now);
        awaitPast(now.plusMillis(20));
        assertThat(deny(poll, "n2").until()).as("asked again").isEqualTo(first.until());
    }

    @Test
    default void takenSlotIsDatedNowAtTheLatest() {
        complete(hourly(10), "n1");
        String mark = redis().text("HGET", recordKey(), "m:" + LANE);
        String[] words = mark.split(" ");
        words[2] = Long.toString(start().plus(STEP).toEpochMilli());
        redis().call("HSET", recordKey(), "m:" + LANE, String.join(" ", words));

        Denied denied = deny(hourly(10), "n2");

        assertThat(denied.reason()).isEqualTo(DenialReason.TAKEN);
        assertThat(denied.other().orElseThrow().since()).isBeforeOrEqualTo(store().time());
    }
}
