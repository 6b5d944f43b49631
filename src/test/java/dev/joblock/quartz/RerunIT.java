package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.testing.Logs;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.triggers.SimpleTriggerImpl;

/** A run that its node's death cut short runs again, once, on a node that lives; nothing else does. */
class RerunIT {
    private static final Duration LEASE = Duration.ofSeconds(3);

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    private final String prefix = QuartzNode.newPrefix();
    private final List<QuartzNode> nodes = new ArrayList<>();
    private final Body body = new Body();
    private final CountDownLatch release = new CountDownLatch(1);
    private final Logs logs = Logs.of(JobLockQuartzListener.class);

    @AfterEach
    void close() {
        release.countDown();
        nodes.forEach(QuartzNode::close);
        logs.close();
    }

    private QuartzNode node() {
        QuartzNode.Setup setup = QuartzNode.setup();
        setup.defaults.setRerun("true");
        setup.defaults.setLease("3s");
        QuartzNode node = new QuartzNode(redis.server(), prefix, setup);
        nodes.add(node);
        return node;
    }

    private static Instant soon() {
        return Instant.ofEpochSecond(Instant.now().getEpochSecond() + 3);
    }

    private static Trigger trigger(Instant slot, int slots) {
        return TriggerBuilder.newTrigger()
                .withIdentity("nightly")
                .usingJobData("month", "november")
                .withSchedule(
                        CronScheduleBuilder.cronSchedule("* * * * * ?").withMisfireHandlingInstructionIgnoreMisfires())
                .startAt(Date.from(slot))
                .endAt(Date.from(slot.plusSeconds(slots).minusMillis(1)))
                .build();
    }

    /** Runs the first time until the test lets go, as a run whose node dies does; again, it is over at once. */
    private JobDetail hanging() {
        return BodyJob.serial("invoice", context -> {
            body.run(context);
            if (body.runs.size() == 1) {
                release.await(QuartzNode.PATIENCE.toSeconds() * 2, TimeUnit.SECONDS);
            }
        });
    }

    private QuartzNode winner() {
        await().atMost(QuartzNode.PATIENCE).until(() -> body.runs.size() == 1);
        Object id = contextOf(body.runs.get(0).context());
        return nodes.stream().filter(node -> node.id.equals(id)).findFirst().orElseThrow();
    }

    private static Object contextOf(JobExecutionContext context) {
        try {
            return Objects.requireNonNull(context.getScheduler().getContext().get("node"));
        } catch (org.quartz.SchedulerException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitQuiet() {
        await().atMost(QuartzNode.PATIENCE).until(() -> nodes.stream().allMatch(QuartzNode::asksNothing));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void oneSurvivorRunsWhatACrashCutShort(int number) throws Exception {
        Instant slot = soon();
        for (int n = 0; n < number; n++) {
            node().schedule(hanging(), trigger(slot, 1)).start();
        }
        QuartzNode dead = winner();
        await().atMost(QuartzNode.PATIENCE)
                .until(() ->
                        nodes.stream().mapToLong(n -> n.outcomes.denied.size()).sum() == number - 1);
        // Past its first lease: the watchers have followed a renewal.
        JobLock lease = dead.outcomes.granted.get(0);
        await().atMost(QuartzNode.PATIENCE)
                .until(() -> Instant.now().isAfter(lease.since().plus(LEASE).plusSeconds(1)));
        assertThat(body.runs).hasSize(1);
        dead.service.close();
        long crash = System.nanoTime();
        await().atMost(QuartzNode.PATIENCE).until(() -> body.runs.size() == 2);
        Duration late = Duration.ofNanos(System.nanoTime() - crash);
        awaitQuiet();

        assertThat(late).isLessThan(LEASE.plusSeconds(2));
        assertThat(body.runs).hasSize(2);
        Body.Run rerun = body.runs.get(1);
        assertThat(rerun.slot()).isEqualTo(slot);
        assertThat(rerun.origin()).isEqualTo("rerun");
        assertThat(rerun.trigger()).isEqualTo("nightly");
        assertThat(rerun.context().getMergedJobDataMap().getString("month")).isEqualTo("november");
        assertThat(contextOf(rerun.context())).isNotEqualTo(dead.id);
    }

    @Test
    void doneOrFailedSlotIsNeverRunAgain() throws Exception {
        int slots = 6;
        Instant first = soon();
        for (int n = 0; n < 3; n++) {
            node().schedule(
                            BodyJob.job("invoice", context -> {
                                body.run(context);
                                if (body.runs.size() % 2 == 0) {
                                    throw new IllegalStateException("no paper");
                                }
                            }),
                            trigger(first, slots))
                    .start();
        }
        await().atMost(QuartzNode.PATIENCE)
                .until(() -> nodes.stream().allMatch(node -> node.recorder.count("fired") == slots));
        await().atMost(QuartzNode.PATIENCE)
                .until(() -> nodes.stream()
                                .mapToLong(node -> node.outcomes.ended.size())
                                .sum()
                        == slots);
        awaitQuiet();
        // Whatever was left to its end would be dead by then.
        Instant end = Instant.now().plus(LEASE).plusSeconds(1);
        await().atMost(QuartzNode.PATIENCE).until(() -> Instant.now().isAfter(end));

        assertThat(body.slots()).hasSize(slots).doesNotHaveDuplicates();
    }

    @Test
    void recoveryByQuartzAndRerunGiveOneRun() throws Exception {
        Instant slot = soon();
        for (int n = 0; n < 3; n++) {
            node().schedule(hanging(), trigger(slot, 1)).start();
        }
        QuartzNode dead = winner();
        dead.service.close();
        // As a job store hands it out when the dead node is started again.
        QuartzNode restarted = node();
        restarted.schedule(hanging()).start();
        SimpleTriggerImpl recovery = new SimpleTriggerImpl();
        recovery.setKey(TriggerKey.triggerKey("recover_1", Scheduler.DEFAULT_RECOVERY_GROUP));
        recovery.setJobKey(JobKey.jobKey("invoice"));
        recovery.getJobDataMap().put(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_NAME, "nightly");
        recovery.getJobDataMap().put(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_GROUP, Scheduler.DEFAULT_GROUP);
        recovery.getJobDataMap()
                .put(
                        Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_SCHEDULED_FIRETIME_IN_MILLISECONDS,
                        Long.toString(slot.toEpochMilli()));
        boolean vetoed = restarted.listener.vetoJobExecution(
                recovery, Contexts.fire(restarted.scheduler, hanging(), recovery, null, true, slot, null, null));
        assertThat(vetoed).isTrue();
        await().atMost(QuartzNode.PATIENCE).until(() -> body.runs.size() == 2);
        awaitQuiet();

        assertThat(body.runs).hasSize(2);
        assertThat(body.runs.get(1).slot()).isEqualTo(slot);
        assertThat(nodes.stream().flatMap(node -> node.outcomes.granted.stream()))
                .extracting(lock -> lock.run().rule())
                .containsExactlyInAnyOrder(JobRun.Rule.SLOT, JobRun.Rule.OWED);
    }
}
