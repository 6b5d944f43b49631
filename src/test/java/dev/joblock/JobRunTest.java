package dev.joblock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class JobRunTest {
    private static final Instant DUE = Instant.parse("2026-10-25T01:30:00Z");
    private static final Slot SLOT = Slot.of(DUE, DUE.plusSeconds(60), "d");

    @Test
    void eachRuleHasWhatItNeedsAndNothingElse() {
        JobRun manual = JobRun.exclusive("job");
        assertThat(manual.rule()).isEqualTo(JobRun.Rule.EXCLUSIVE);
        assertThat(manual.lane()).isEmpty();
        assertThat(manual.slot()).isEmpty();
        assertThat(manual.interval()).isZero();
        assertThat(manual).hasToString("'job'");

        JobRun slot = JobRun.slot("job", "lane", SLOT);
        assertThat(slot.rule()).isEqualTo(JobRun.Rule.SLOT);
        assertThat(slot.lane()).isEqualTo("lane");
        assertThat(slot.slot()).contains(SLOT);
        assertThat(slot).hasToString("'job' slot 2026-10-25T01:30:00Z");

        JobRun owed = JobRun.owed("job", "lane", DUE);
        assertThat(owed.rule()).isEqualTo(JobRun.Rule.OWED);
        assertThat(owed.slot().orElseThrow().scheduled()).isEqualTo(DUE);
        assertThat(owed).hasToString("'job' owed slot 2026-10-25T01:30:00Z");

        JobRun interval = JobRun.interval("job", "lane", Duration.ofMinutes(5));
        assertThat(interval.rule()).isEqualTo(JobRun.Rule.INTERVAL);
        assertThat(interval.interval()).isEqualTo(Duration.ofMinutes(5));
        assertThat(interval.isCountedFromEnd()).isFalse();
        assertThat(interval.countedFromEnd().isCountedFromEnd()).isTrue();
        assertThat(interval).hasToString("'job' every 5m");
    }

    @Test
    void copiesKeepAllElse() {
        JobRun run = JobRun.slot("job", "lane", SLOT).withLockName("shared").beforeStart();

        assertThat(run.job()).isEqualTo("job");
        assertThat(run.lockName()).isEqualTo("shared");
        assertThat(run.isBeforeStart()).isTrue();
        assertThat(run.slot()).contains(SLOT);
        assertThat(run.lane()).isEqualTo("lane");
        JobRun interval = JobRun.interval("job", "lane", Duration.ofMinutes(5))
                .beforeStart()
                .countedFromEnd()
                .withLockName("shared");
        assertThat(interval.isBeforeStart()).isTrue();
        assertThat(interval.isCountedFromEnd()).isTrue();
        assertThat(interval.lockName()).isEqualTo("shared");
        assertThat(JobRun.exclusive("job").lockName()).isEqualTo("job");
        assertThat(JobRun.exclusive("job").isBeforeStart()).isFalse();
    }

    @Test
    void blankNamesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobRun.exclusive(" "))
                .withMessage("The job name ' ' is blank; give it a name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobRun.slot("job", "", SLOT))
                .withMessage("The lane '' is blank; give it a name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobRun.owed("job", "\t", DUE))
                .withMessageStartingWith("The lane ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobRun.exclusive("job").withLockName(""))
                .withMessage("The lock name '' is blank; give it a name");
    }

    @Test
    void intervalMustBePositiveWholeMilliseconds() {
        for (Duration interval : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1), Duration.ofNanos(1_500)}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JobRun.interval("job", "lane", interval))
                    .withMessageStartingWith("'interval' = '" + interval + "' must ");
        }
    }
}
