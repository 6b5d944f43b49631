package dev.joblock.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.JobRun;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.support.CronTrigger;

class TaskScheduleTest {
    private static final Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE);

    /** As hosts write a task that is to run once, before Spring 6.1 had a way to say so. */
    @Test
    void intervalThatNeverEndsIsNone() {
        for (TaskSchedule schedule : new TaskSchedule[] {TaskSchedule.rate(FOREVER), TaskSchedule.delay(FOREVER)}) {
            JobRun run = schedule.run("task:a.b", "lane", null, Optional.empty());

            assertThat(run.rule()).isEqualTo(JobRun.Rule.EXCLUSIVE);
            assertThat(run.origin()).isEqualTo(JobRun.Origin.SCHEDULED);
            assertThat(schedule.rule(Optional.empty())).isEqualTo("exclusive");
        }
    }

    @Test
    void minimumIntervalOfAPolicyHoldsForItAllTheSame() {
        Optional<Duration> day = Optional.of(Duration.ofDays(1));

        assertThat(TaskSchedule.rate(FOREVER).run("task:a.b", "lane", null, day).interval())
                .isEqualTo(Duration.ofDays(1));
        assertThat(TaskSchedule.rate(FOREVER).rule(day)).isEqualTo("interval");
    }

    @Test
    void intervalOfTenYearsIsOne() {
        assertThat(TaskSchedule.rate(Duration.ofDays(3_660))
                        .run("task:a.b", "lane", null, Optional.empty())
                        .interval())
                .isEqualTo(Duration.ofDays(3_660));
    }

    /** Nodes compare it. */
    @Test
    void theNameOfALambdaIsNotInTheScheduleSinceEachNodeHasItsOwn() {
        Trigger lambda = context -> null;

        assertThat(TaskSchedule.other(lambda).toString())
                .isEqualTo("trigger of class " + getClass().getName());
        assertThat(TaskSchedule.other(new CronTrigger(Beans.FAR)).toString())
                .isEqualTo("trigger of class " + CronTrigger.class.getName());
    }
}
