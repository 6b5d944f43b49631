package dev.joblock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobSummaryTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void badEndsInARowAreCountedUntilASuccess() {
        JobSummary summary = after(null, HistoryOutcome.RAN, 1);
        assertThat(summary.consecutiveFailures()).isZero();
        summary = after(after(summary, HistoryOutcome.FAILED, 2), HistoryOutcome.ABANDONED, 3);
        assertThat(summary.consecutiveFailures()).isEqualTo(2);
        assertThat(summary.lastSuccess()).contains(NOON.plusSeconds(1));
        assertThat(summary.lastFailure()).contains(NOON.plusSeconds(3));
        assertThat(summary.lastError()).contains("abandoned");
        summary = after(summary, HistoryOutcome.RAN, 4);
        assertThat(summary.consecutiveFailures()).isZero();
        assertThat(summary.lastFailure()).contains(NOON.plusSeconds(3));
    }

    @Test
    void aRunThatIsWrittenTwiceCountsOnce() {
        JobSummary summary = after(after(null, HistoryOutcome.LOST, 2), HistoryOutcome.LOST, 2);
        assertThat(summary.consecutiveFailures()).isEqualTo(1);
        assertThat(after(after(null, HistoryOutcome.ABANDONED, 2), HistoryOutcome.LOST, 2)
                        .consecutiveFailures())
                .isEqualTo(1);
    }

    @Test
    void anOlderRunThatIsWrittenLateChangesNothing() {
        JobSummary summary = after(null, HistoryOutcome.RAN, 5);
        assertThat(after(summary, HistoryOutcome.FAILED, 4)).isSameAs(summary);
    }

    private static JobSummary after(@Nullable JobSummary before, HistoryOutcome outcome, long token) {
        return JobSummary.with(
                before,
                HistoryEntry.builder("r" + token, "job", "n1", outcome)
                        .at(NOON.plusSeconds(token))
                        .granted(NOON, token)
                        .build());
    }
}
