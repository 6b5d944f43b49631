package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.JobRun;
import java.time.Instant;
import java.util.Date;
import org.junit.jupiter.api.Test;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;

class LateFiresTest {
    private static Trigger trigger(String group) {
        return TriggerBuilder.newTrigger()
                .withIdentity("nightly", group)
                .forJob("job")
                .build();
    }

    @Test
    void triggerOfAUserIsNoneOfOursThoughItsGroupIsCalledSo() {
        assertThat(LateFires.isLate(trigger(JobLockQuartzListener.LATE_GROUP))).isFalse();
    }

    @Test
    void triggerThatSaysWhichFireItStandsForIsOursInItsGroupOnly() {
        Trigger ours = trigger(JobLockQuartzListener.LATE_GROUP);
        LateFireData.of(JobRun.owed("job", "lane", Instant.EPOCH), trigger("DEFAULT"), new Date())
                .writeTo(ours.getJobDataMap());
        Trigger recovered = trigger("RECOVERING_JOBS");
        recovered.getJobDataMap().putAll(ours.getJobDataMap());

        assertThat(LateFires.isLate(ours)).isTrue();
        assertThat(LateFires.isLate(recovered)).isFalse();
    }
}
