package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;

class KeysTest {
    private static final List<String> NAMES = List.of(
            "a",
            "b",
            "a.b",
            "b.c",
            "a.b.c",
            "DEFAULT.a",
            "a\\",
            "\\a",
            "a\\.b",
            ".",
            "..",
            "\\",
            "\\.",
            "a/b",
            "a:b",
            "#a",
            "\\#a",
            "day[1]*?",
            "x{y}z",
            "<script>",
            "Überweisung täglich",
            "a/b %2F+&c",
            "n".repeat(300));
    private static final List<String> GROUPS =
            List.of("DEFAULT", "a", "a.b", "a\\", "a\\.b", ".", "\\", "#a", "a/b", "\\#a");

    @Test
    void plainKeyIsTheNameInTheDefaultGroupAndGroupAndNameElsewhere() {
        assertThat(Keys.plain("DEFAULT", "invoice")).isEqualTo("invoice");
        assertThat(Keys.plain("nightly", "invoice")).isEqualTo("nightly.invoice");
    }

    @Test
    void exactKeyOfTheUsualNamesReadsAsThePlainOne() {
        assertThat(Keys.exact("DEFAULT", "invoice")).isEqualTo("invoice");
        assertThat(Keys.exact("nightly", "invoice")).isEqualTo("nightly.invoice");
        assertThat(Keys.exact("DEFAULT", "com.acme.Invoice")).isEqualTo("DEFAULT.com.acme.Invoice");
        assertThat(Keys.exact("a.b", "c")).isEqualTo("a\\.b.c");
    }

    @Test
    void noTwoJobsShareALockName() {
        Map<String, String> seen = new HashMap<>();
        for (String group : GROUPS) {
            for (String name : NAMES) {
                String other = seen.put(QuartzJob.of(job(group, name)).lockName(), group + " / " + name);
                assertThat(other).as(group + " / " + name).isNull();
            }
        }
    }

    @Test
    void noTwoTriggersOfAnyJobsShareALane() {
        Map<String, String> seen = new HashMap<>();
        for (String jobGroup : GROUPS) {
            for (String jobName : NAMES) {
                for (String group : GROUPS) {
                    for (String name : NAMES) {
                        String lane = QuartzJob.of(job(jobGroup, jobName)).lane(trigger(group, name));
                        String key = String.join(" | ", jobGroup, jobName, group, name);
                        assertThat(seen.put(lane, key)).as(key).isNull();
                    }
                }
            }
        }
    }

    @Test
    void generatedTriggerNameGivesALaneThatNoChosenNameGives() {
        QuartzJob job = QuartzJob.of(job("DEFAULT", "a"));
        String generated = job.lane(trigger("DEFAULT", "org.acme.CronTriggerFactoryBean#0"));

        assertThat(generated).startsWith("a/#");
        assertThat(job.lane(trigger("DEFAULT", generated.substring(2)))).isNotEqualTo(generated);
    }

    private static JobDetail job(String group, String name) {
        return JobBuilder.newJob(ShortJob.class).withIdentity(name, group).build();
    }

    private static Trigger trigger(String group, String name) {
        return TriggerBuilder.newTrigger()
                .withIdentity(name, group)
                .withSchedule(CronScheduleBuilder.cronSchedule("0 0 3 * * ?"))
                .build();
    }
}
