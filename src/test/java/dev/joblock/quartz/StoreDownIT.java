package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.joblock.DenialReason;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.StoreFault;
import dev.joblock.testing.Logs;
import dev.joblock.testing.RedisExtension;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.CronScheduleBuilder;
import org.quartz.Scheduler;
import org.quartz.Trigger;
import org.quartz.Trigger.TriggerState;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;

/** The schedule survives whatever the store does, and what is told meanwhile. */
class StoreDownIT {
    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    private final String prefix = QuartzNode.newPrefix();
    private final List<QuartzNode> nodes = new ArrayList<>();

    @AfterEach
    void close() {
        nodes.forEach(QuartzNode::close);
    }

    @Test
    void killedRedisCostsTheFiresOfItsTimeAndOneWarning() throws Exception {
        QuartzNode node = node(QuartzNode.setup().askBudget(Duration.ofSeconds(1)));
        node.schedule(BodyJob.serial("import", context -> {}), everySecond("import"))
                .start();
        await().atMost(QuartzNode.PATIENCE).until(() -> node.recorder.count("executed") >= 1);
        try (Logs logs = Logs.of(JobLockQuartzListener.class)) {
            redis.server().kill();
            await().atMost(QuartzNode.PATIENCE).until(() -> node.outcomes.denied(DenialReason.STORE_DOWN) >= 3);
            redis.server().start();
            long executed = node.recorder.count("executed");
            await().atMost(QuartzNode.PATIENCE).until(() -> node.recorder.count("executed") >= executed + 2);

            assertThat(logs.lines(Level.WARN, "'import' slot"))
                    .singleElement()
                    .asString()
                    .contains("store down");
            assertThat(logs.lines(Level.ERROR, "")).isEmpty();
        }
        await().atMost(QuartzNode.PATIENCE)
                .until(() -> node.scheduler.getTriggerState(TriggerKey.triggerKey("of import")) == TriggerState.NORMAL);
    }

    @Test
    void silentRedisLeavesHalfOfTheWorkersToOtherJobs() throws Exception {
        QuartzNode node = node(QuartzNode.setup().jobs("guarded*").threads(4).askBudget(Duration.ofSeconds(1)));
        for (int i = 0; i < 10; i++) {
            node.schedule(QuartzNode.job("guarded" + i), everySecond("guarded" + i));
        }
        List<Duration> lateness = new CopyOnWriteArrayList<>();
        node.schedule(
                BodyJob.job(
                        "local",
                        context -> lateness.add(
                                Duration.between(context.getScheduledFireTime().toInstant(), Instant.now()))),
                everySecond("local"));
        redis.server().pause();
        try {
            node.start();
            await().atMost(QuartzNode.PATIENCE).until(() -> lateness.size() >= 8);
        } finally {
            redis.server().resume();
        }

        assertThat(lateness.subList(0, 8)).allMatch(late -> late.compareTo(Duration.ofSeconds(2)) < 0);
        assertThat(node.recorder.count("vetoed")).isGreaterThan(20);
        // Only half of them were asked for at all; listeners hear of the others too.
        assertThat(node.outcomes.denied)
                .extracting(denied -> denied.fault().orElseThrow())
                .contains(StoreFault.SLOW, StoreFault.TIMEOUT);
        assertThat(node.outcomes.denied.stream()
                        .filter(denied -> denied.fault().orElseThrow() != StoreFault.SLOW)
                        .count())
                .isLessThan(node.recorder.count("vetoed"));
    }

    @Test
    void burstOfFiresIsNotTakenForASlowStore() throws Exception {
        QuartzNode node = node(QuartzNode.setup().threads(8));
        Instant slot = soon();
        for (int i = 0; i < 40; i++) {
            node.schedule(QuartzNode.job("burst" + i), once("burst" + i, slot));
        }
        node.start();

        await().atMost(QuartzNode.PATIENCE)
                .until(() -> node.recorder.count("executed") + node.recorder.count("vetoed") == 40);
        assertThat(node.recorder.count("executed")).isEqualTo(40);
    }

    @Test
    void slowStoreIsWaitedForByManyJobsOnFewWorkers() throws Exception {
        try (SlowLine line = new SlowLine(redis.server().port(), Duration.ofMillis(200))) {
            QuartzNode node = node("127.0.0.1", line.port(), QuartzNode.setup().threads(3));
            Instant slot = soon();
            for (int i = 0; i < 30; i++) {
                node.schedule(QuartzNode.job("report" + i), once("report" + i, slot));
            }
            node.start();

            await().atMost(QuartzNode.PATIENCE.multipliedBy(2))
                    .until(() -> node.recorder.count("executed") + node.recorder.count("vetoed") == 30);
            assertThat(node.recorder.count("executed")).isEqualTo(30);
            assertThat(node.recorder.slots("executed")).containsOnly(slot);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, StackOverflowError.class})
    void failureOfOurOwnVetoesAndBlocksNothing(Class<? extends Throwable> failure) throws Exception {
        Throwable thrown = failure.getConstructor().newInstance();
        JobLockService broken = (JobLockService) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JobLockService.class}, (self, method, arguments) -> {
                    if (method.getName().equals("nodeId")) {
                        return "broken";
                    }
                    throw thrown;
                });
        JobLockQuartzListener listener =
                new JobLockQuartzListener(broken, new JobLockPolicies(new JobLockPolicy(), List.of()));
        listener.setJobs("import");
        Scheduler scheduler = QuartzNode.scheduler(2, Duration.ofMinutes(1));
        RecordingListener recorder = new RecordingListener();
        try (Logs logs = Logs.of(JobLockQuartzListener.class)) {
            scheduler.getListenerManager().addTriggerListener(recorder);
            scheduler.getListenerManager().addJobListener(recorder);
            Wiring.attach(scheduler, listener);
            scheduler.scheduleJob(BodyJob.serial("import", context -> {}), everySecond("import"));
            scheduler.start();
            await().atMost(QuartzNode.PATIENCE).until(() -> recorder.count("vetoed") >= 2);

            assertThat(recorder.count("executed")).isZero();
            assertThat(logs.lines(Level.ERROR, "in the ask for the lock of job 'DEFAULT.import'"))
                    .hasSizeGreaterThanOrEqualTo(2)
                    .allMatch(line -> line.endsWith("vetoed"));
            await().atMost(QuartzNode.PATIENCE)
                    .until(() -> scheduler.getTriggerState(TriggerKey.triggerKey("of import")) == TriggerState.NORMAL);
        } finally {
            scheduler.shutdown(true);
        }
    }

    @Test
    void eachSlotIsOneLineOnEachNode() throws Exception {
        Instant slot = soon();
        try (Logs logs = Logs.of(JobLockQuartzListener.class)) {
            for (int n = 0; n < 2; n++) {
                node(QuartzNode.setup())
                        .schedule(
                                BodyJob.job("told", context -> {
                                    if (context.getScheduledFireTime()
                                            .toInstant()
                                            .equals(slot)) {
                                        throw new IllegalStateException("no paper");
                                    }
                                }),
                                TriggerBuilder.newTrigger()
                                        .withIdentity("of told")
                                        .withSchedule(CronScheduleBuilder.cronSchedule("* * * * * ?"))
                                        .startAt(Date.from(slot))
                                        .endAt(Date.from(slot.plusMillis(1_999)))
                                        .build())
                        .start();
            }
            await().atMost(QuartzNode.PATIENCE)
                    .until(() -> nodes.stream()
                                    .mapToLong(node -> node.recorder.count("vetoed") + node.recorder.count("complete"))
                                    .sum()
                            == 4);

            assertThat(logs.lines(Level.INFO, "'told' slot " + slot)).hasSize(2);
            assertThat(logs.lines(Level.INFO, "'told' slot " + slot + " failed after"))
                    .singleElement()
                    .asString()
                    .matches(".* ms, token \\d+: java.lang.IllegalStateException: no paper");
            assertThat(logs.lines(Level.INFO, "'told' slot " + slot.plusSeconds(1) + " ran in"))
                    .singleElement()
                    .asString()
                    .matches(".* ran in \\d+ ms, token \\d+");
            assertThat(logs.lines(Level.INFO, "'told' slot " + slot.plusSeconds(1) + " not run on this node:"))
                    .singleElement()
                    .asString()
                    .matches(".*(taken|held) by n\\d+ since .*");
        }
    }

    @Test
    void dryRunSaysWhatItWouldDo() throws Exception {
        QuartzNode node = node(QuartzNode.setup());
        QuartzNode other = node(QuartzNode.setup());
        node.listener.setDryRun(true);
        assertThat(other.service.tryLock(JobRun.exclusive("trial")).isGranted()).isTrue();
        try (Logs logs = Logs.of(JobLockQuartzListener.class)) {
            node.schedule(QuartzNode.job("trial"), once("trial", soon())).start();
            await().atMost(QuartzNode.PATIENCE).until(() -> node.recorder.count("executed") == 1);

            assertThat(logs.lines(Level.INFO, "'trial' slot"))
                    .singleElement()
                    .asString()
                    .contains("dry run: would not run on this node: held by " + other.id);
        }
    }

    private QuartzNode node(QuartzNode.Setup setup) {
        return node(redis.host(), redis.port(), setup);
    }

    private QuartzNode node(String host, int port, QuartzNode.Setup setup) {
        QuartzNode node = new QuartzNode(host, port, prefix, setup);
        nodes.add(node);
        return node;
    }

    private static Trigger everySecond(String job) {
        return trigger(job).build();
    }

    private static Instant soon() {
        return Instant.ofEpochSecond(Instant.now().getEpochSecond() + 2);
    }

    private static Trigger once(String job, Instant slot) {
        return trigger(job)
                .startAt(Date.from(slot))
                .endAt(Date.from(slot.plusMillis(999)))
                .build();
    }

    private static TriggerBuilder<?> trigger(String job) {
        return TriggerBuilder.newTrigger()
                .withIdentity("of " + job)
                .withSchedule(
                        CronScheduleBuilder.cronSchedule("* * * * * ?").withMisfireHandlingInstructionIgnoreMisfires());
    }
}
