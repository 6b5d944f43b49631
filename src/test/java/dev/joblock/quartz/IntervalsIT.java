package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.DenialReason;
import dev.joblock.JobLock;
import dev.joblock.JobLockPolicy;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.CalendarIntervalScheduleBuilder;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobKey;
import org.quartz.ScheduleBuilder;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;

/** Triggers whose phase is each node's own, and runs by hand. */
@Execution(ExecutionMode.CONCURRENT)
class IntervalsIT {
    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    private final String prefix = QuartzNode.newPrefix();
    private final List<QuartzNode> nodes = new ArrayList<>();

    @AfterEach
    void close() {
        nodes.forEach(QuartzNode::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "calendar interval"})
    void twoNodesOutOfStepKeepTheIntervalBetweenThem(String kind) throws Exception {
        ScheduleBuilder<?> schedule = kind.equals("simple")
                ? SimpleScheduleBuilder.repeatSecondlyForever(4)
                : CalendarIntervalScheduleBuilder.calendarIntervalSchedule().withIntervalInSeconds(4);
        QuartzNode one = node(QuartzNode.setup());
        QuartzNode other = node(QuartzNode.setup());
        Instant start = Instant.now().plusMillis(500);
        one.schedule(QuartzNode.job("poll"), trigger("t", schedule, start));
        other.schedule(QuartzNode.job("poll"), trigger("t", schedule, start.plusMillis(1_500)));
        one.start();
        other.start();

        await().atMost(QuartzNode.PATIENCE).until(() -> one.recorder.count("fired") == 5);
        await().atMost(QuartzNode.PATIENCE)
                .until(() -> one.recorder.count("complete") + one.recorder.count("vetoed") == 5);

        List<Instant> starts = starts();
        assertThat(starts).hasSizeBetween(4, 5);
        for (int i = 1; i < starts.size(); i++) {
            // Redis time, less the tolerance and what a busy machine makes a start late by.
            assertThat(Duration.between(starts.get(i - 1), starts.get(i))).isGreaterThan(Duration.ofSeconds(2));
        }
        assertThat(one.outcomes.denied(DenialReason.TOO_SOON) + other.outcomes.denied(DenialReason.TOO_SOON))
                .isGreaterThanOrEqualTo(4);
    }

    @Test
    void oneShotTriggersOfAllNodesRunUnlessTheyMeet() throws Exception {
        for (int n = 0; n < 2; n++) {
            QuartzNode node = node(QuartzNode.setup());
            node.schedule(QuartzNode.job("once"), trigger("t", SimpleScheduleBuilder.simpleSchedule(), Instant.now()))
                    .start();
            await().atMost(QuartzNode.PATIENCE).until(() -> node.outcomes.ended.size() == 1);
        }
    }

    @Test
    void oneShotTriggerWithAMinimumIntervalRunsOnOneNode() throws Exception {
        JobLockPolicy policy = new JobLockPolicy();
        policy.setJobs("once");
        policy.setMinInterval("10m");
        for (int n = 0; n < 2; n++) {
            node(QuartzNode.setup().policies(policy))
                    .schedule(
                            QuartzNode.job("once"), trigger("t", SimpleScheduleBuilder.simpleSchedule(), Instant.now()))
                    .start();
        }
        await().atMost(QuartzNode.PATIENCE)
                .until(() -> nodes.stream()
                                .mapToLong(node -> node.recorder.count("executed") + node.recorder.count("vetoed"))
                                .sum()
                        == 2);

        assertThat(nodes.stream()
                        .mapToLong(node -> node.recorder.count("executed"))
                        .sum())
                .isEqualTo(1);
    }

    @Test
    void manualRunTouchesNoMark() throws Exception {
        QuartzNode node = node(QuartzNode.setup());
        node.start();
        Instant slot = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 2);
        node.schedule(
                QuartzNode.job("daily"),
                TriggerBuilder.newTrigger()
                        .withIdentity("t")
                        .withSchedule(CronScheduleBuilder.cronSchedule("* * * * * ?"))
                        .startAt(Date.from(slot))
                        .endAt(Date.from(slot.plusMillis(1_999)))
                        .build());
        node.scheduler.triggerJob(JobKey.jobKey("daily"));
        await().atMost(QuartzNode.PATIENCE).until(() -> node.outcomes.ended.size() == 3);

        assertThat(node.recorder.calls("executed").stream()
                        .filter(call -> call.trigger().equals("t"))
                        .map(RecordingListener.Call::scheduled))
                .containsExactly(slot, slot.plusSeconds(1));
        assertThat(node.outcomes.denied).isEmpty();
        node.scheduler.triggerJob(JobKey.jobKey("daily"));
        await().atMost(QuartzNode.PATIENCE).until(() -> node.outcomes.ended.size() == 4);
    }

    private List<Instant> starts() {
        return nodes.stream()
                .flatMap(node -> node.outcomes.granted.stream())
                .map(JobLock::since)
                .sorted()
                .toList();
    }

    private QuartzNode node(QuartzNode.Setup setup) {
        QuartzNode node = new QuartzNode(redis.server(), prefix, setup);
        nodes.add(node);
        return node;
    }

    private static Trigger trigger(String name, ScheduleBuilder<?> schedule, Instant start) {
        return TriggerBuilder.newTrigger()
                .withIdentity(name)
                .withSchedule(schedule)
                .startAt(Date.from(start))
                .build();
    }
}
