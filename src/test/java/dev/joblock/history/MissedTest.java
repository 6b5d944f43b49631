package dev.joblock.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.HistoryEntry;
import dev.joblock.HistoryOutcome;
import dev.joblock.JobSummary;
import dev.joblock.RegisteredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MissedTest {
    private static final Instant THREE = Instant.parse("2026-01-01T03:00:00Z");
    private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

    @Test
    void aSlotIsMissedWhenTheToleranceIsOverAndNobodyRanIt() {
        RegisteredJob fired = job("cron 0 0 3 * * ?", THREE, THREE.plusSeconds(86_400), true);
        assertThat(missed(fired, null, 4)).isEmpty();
        assertThat(missed(fired, null, 6)).contains(THREE);
        assertThat(missed(fired, ran(THREE.minusSeconds(60), THREE.minusSeconds(86_400)), 6))
                .contains(THREE);
    }

    @Test
    void aRunOfTheSlotOrAfterItIsEnoughOnWhicheverNodeAndHoweverItEnded() {
        RegisteredJob fired = job("cron 0 0 3 * * ?", THREE, THREE.plusSeconds(86_400), true);
        assertThat(missed(fired, ran(THREE.plusSeconds(1), THREE), 6)).isEmpty();
        assertThat(missed(fired, ran(THREE.minusMillis(20), THREE), 6)).isEmpty();
        assertThat(missed(fired, ran(THREE.plusSeconds(1), null), 6)).isEmpty();
    }

    @Test
    void aSchedulerThatStandsStillMissesItsNextSlot() {
        RegisteredJob still = job("daily every 1 HOUR", THREE.minusSeconds(3_600), THREE, true);
        assertThat(missed(still, ran(THREE.minusSeconds(3_599), THREE.minusSeconds(3_600)), 6))
                .contains(THREE);
    }

    @Test
    void whatIsUnguardedOrSharesNoSlotIsNeverMissed() {
        assertThat(missed(job("cron 0 0 3 * * ?", THREE, null, false), null, 60))
                .isEmpty();
        assertThat(missed(job("every 5000 ms, repeats -1", THREE, null, true), null, 60))
                .isEmpty();
        assertThat(missed(job("cron 0 0 3 * * ?", null, THREE.plusSeconds(86_400), true), null, 60))
                .isEmpty();
    }

    @Test
    void aJobThatComesOftenIsMissedWhenItHasNotRunForTheTolerance() {
        Instant now = THREE.plusSeconds(600);
        RegisteredJob often = job("cron 0/2 * * * * ?", now.minusSeconds(1), now.plusSeconds(1), true);
        assertThat(missed(often, ran(now.minusSeconds(299), null), 10)).isEmpty();
        assertThat(missed(often, ran(now.minusSeconds(301), null), 10)).isPresent();
        assertThat(Missed.slot(often, null, now, FIVE_MINUTES, now.minusSeconds(200)))
                .as("looked at for too short a time")
                .isEmpty();
        RegisteredJob daily = job("cron 0 9 3 * * ?", now.minusSeconds(1), now.plusSeconds(86_000), true);
        assertThat(missed(daily, ran(now.minusSeconds(86_000), null), 10)).isEmpty();
    }

    private static Optional<Instant> missed(RegisteredJob job, @Nullable JobSummary runs, int minutes) {
        return Missed.slot(job, runs, THREE.plusSeconds(60L * minutes), FIVE_MINUTES, THREE);
    }

    private static JobSummary ran(Instant at, @Nullable Instant slot) {
        return JobSummary.with(
                null,
                HistoryEntry.builder("1", "job", "n1", HistoryOutcome.FAILED)
                        .at(at)
                        .slot("x", slot)
                        .granted(at, 1)
                        .build());
    }

    private static RegisteredJob job(
            String schedule, @Nullable Instant previous, @Nullable Instant next, boolean guarded) {
        return new RegisteredJob("job", "job", "t", schedule, "UTC", guarded, next, previous);
    }
}
