package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockRequest;
import dev.joblock.Slot;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Node clocks that are ahead of Redis time, and marks that they left. */
interface ClockContract extends StoreFixture {

    @ParameterizedTest
    @CsvSource({"PT1S, PT5S", "PT4S, PT12S", "PT20S, PT30S", "PT1M, PT30S", "PT24H, PT1M", "PT24H, PT24H"})
    default void slotFurtherAheadThanItsAllowanceIsHeldBack(Duration distance, Duration lead) {
        Slot slot = ahead(lead, distance);

        Denied denied = deny(in(LANE, slot), "n1");

        assertThat(denied.reason()).isEqualTo(DenialReason.CLOCK_AHEAD);
        assertThat(denied.until()).contains(slot.scheduled());
        assertThat(denied.other()).isEmpty();
        complete(hourly(10), "n2");
    }

    @ParameterizedTest
    @CsvSource({"PT1S, PT0.3S", "PT4S, PT1.5S", "PT1M, PT9S", "PT24H, PT9S"})
    default void slotAheadWithinItsAllowanceIsGrantedOnce(Duration distance, Duration lead) {
        JobRun run = in(LANE, ahead(lead, distance));

        complete(run, "n1");

        assertThat(deny(run, "n2").reason()).isEqualTo(DenialReason.TAKEN);
    }

    @Test
    default void lastSlotMayBeTenSecondsAhead() {
        Slot near = Slot.last(start().plusSeconds(9), null, CRON);
        Slot far = Slot.last(start().plusSeconds(60), null, CRON);

        assertThat(deny(in("far", far), "n1").reason()).isEqualTo(DenialReason.CLOCK_AHEAD);
        complete(in("near", near), "n1");
    }

    @Test
    default void heldBackSlotIsGrantedWhenRedisTimeReachesIt() {
        JobRun run = in(LANE, ahead(Duration.ofMillis(1_200), Duration.ofSeconds(1)));
        Instant until = deny(run, "n1").until().orElseThrow();

        awaitPast(until);

        complete(run, "n1");
    }

    @Test
    default void untrustedRedisTimeRefusesNothing() {
        JobRun tomorrow = in(LANE, ahead(Duration.ofDays(1), Duration.ofHours(1)));

        completeUntrusted(tomorrow);

        assertThat(store().acquire(untrusted(tomorrow, holder("n2"))).denial()).isPresent();
    }

    @Test
    default void markFurtherAheadThanItsAllowanceIsNotBelieved() {
        completeUntrusted(in(LANE, ahead(Duration.ofDays(1), Duration.ofHours(1))));

        complete(hourly(10), "n2");

        assertThat(deny(hourly(10), "n1").reason()).isEqualTo(DenialReason.TAKEN);
        complete(hourly(11), "n1");
    }

    @Test
    default void lastMarkFurtherAheadThanItsAllowanceIsNotBelieved() {
        completeUntrusted(in(LANE, Slot.last(start().plus(Duration.ofDays(1)), null, CRON)));

        complete(hourly(10), "n2");
    }

    @Test
    default void markWithinItsAllowanceIsBelieved() {
        JobRun soon = in(LANE, ahead(Duration.ofSeconds(8), Duration.ofHours(1)));
        complete(soon, "n1");

        assertThat(deny(soon, "n2").reason()).isEqualTo(DenialReason.TAKEN);
        assertThat(deny(hourly(19), "n2").reason()).isEqualTo(DenialReason.PASSED);
    }

    private Slot ahead(Duration lead, Duration distance) {
        Instant scheduled = store().time().plus(lead);
        return Slot.of(scheduled, scheduled.plus(distance), CRON);
    }

    private LockRequest untrusted(JobRun run, Holder holder) {
        return new LockRequest(LOCK, run, holder, Asks.LEASE, false);
    }

    private void completeUntrusted(JobRun run) {
        Holder holder = holder("n1");
        assertThat(store().acquire(untrusted(run, holder)).denial()).isEmpty();
        assertThat(store().release(LOCK, holder)).isTrue();
    }
}
