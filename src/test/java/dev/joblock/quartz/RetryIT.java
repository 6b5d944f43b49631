package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.joblock.DenialReason;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.testing.Logs;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobKey;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.matchers.GroupMatcher;

/** A slot that was denied for a passing reason runs once on one node when the reason has passed. */
class RetryIT {
    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own("--appendonly", "yes");

    private final String prefix = QuartzNode.newPrefix();
    private final List<QuartzNode> nodes = new ArrayList<>();
    private final Body body = new Body();

    private final Logs logs = Logs.of(JobLockQuartzListener.class);

    @AfterEach
    void close() {
        nodes.forEach(QuartzNode::close);
        logs.close();
    }

    private QuartzNode node(QuartzNode.Setup setup) {
        setup.defaults.setRetry("5m");
        QuartzNode node = new QuartzNode(redis.host(), redis.port(), prefix, setup.askBudget(Duration.ofSeconds(1)));
        nodes.add(node);
        return node;
    }

    private static Instant soon() {
        return Instant.ofEpochSecond(Instant.now().getEpochSecond() + 3);
    }

    private static TriggerBuilder<?> trigger(String job, Instant slot, int slots) {
        return TriggerBuilder.newTrigger()
                .withIdentity("of " + job)
                .usingJobData("month", "november")
                .withSchedule(
                        CronScheduleBuilder.cronSchedule("* * * * * ?").withMisfireHandlingInstructionIgnoreMisfires())
                .startAt(Date.from(slot))
                .endAt(Date.from(slot.plusSeconds(slots).minusMillis(1)));
    }

    private long denied(DenialReason reason) {
        return nodes.stream().mapToLong(node -> node.outcomes.denied(reason)).sum();
    }

    private void awaitRuns(int number) {
        await().atMost(QuartzNode.PATIENCE.multipliedBy(2)).until(() -> body.runs.size() >= number);
        // Whoever else would run it has been told by now that it is taken.
        await().atMost(QuartzNode.PATIENCE).until(() -> nodes.stream().allMatch(QuartzNode::asksNothing));
        assertThat(body.runs).hasSize(number);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void redisThatWasAwayAtTheFireCostsNothing(boolean silent) throws Exception {
        int jobs = 20;
        Instant slot = soon();
        for (int n = 0; n < 3; n++) {
            QuartzNode node = node(QuartzNode.setup().threads(20));
            for (int i = 0; i < jobs; i++) {
                String name = "report" + i;
                node.schedule(
                        i % 2 == 0 ? BodyJob.job(name, body) : BodyJob.serial(name, body),
                        trigger(name, slot, 1).build());
            }
        }
        if (silent) {
            redis.server().pause();
        } else {
            redis.server().kill();
        }
        for (QuartzNode node : nodes) {
            node.start();
        }
        await().atMost(QuartzNode.PATIENCE)
                .until(() -> nodes.stream().allMatch(node -> node.recorder.count("vetoed") == jobs));
        assertThat(body.runs).isEmpty();
        if (silent) {
            redis.server().resume();
        } else {
            redis.server().start();
        }
        awaitRuns(jobs);

        assertThat(body.runs.stream().map(Body.Run::job)).doesNotHaveDuplicates();
        assertThat(body.slots()).containsOnly(slot);
        assertThat(body.origins()).containsOnly("retry");
        assertThat(body.runs).allSatisfy(run -> {
            assertThat(run.trigger()).isEqualTo("of " + run.job());
            assertThat(run.context().getTrigger().getKey().getGroup()).isEqualTo(JobLockQuartzListener.LATE_GROUP);
            assertThat(run.context().getMergedJobDataMap().getString("month")).isEqualTo("november");
        });
        assertThat(nodes.stream().flatMap(node -> node.outcomes.ended.stream()))
                .hasSize(jobs)
                .allMatch(lock -> lock.run().origin() == JobRun.Origin.RETRY);
        for (QuartzNode node : nodes) {
            assertThat(node.scheduler.getTriggerKeys(GroupMatcher.triggerGroupEquals(JobLockQuartzListener.LATE_GROUP)))
                    .isEmpty();
            assertThat(node.listener.fires().lateFires()).isZero();
        }
    }

    @Test
    void twoHundredSlotsOfABlinkingRedisRunOnceEach() throws Exception {
        int jobs = 20;
        int slots = 10;
        Instant first = soon();
        for (int n = 0; n < 3; n++) {
            QuartzNode node = node(QuartzNode.setup().threads(20));
            for (int i = 0; i < jobs; i++) {
                // Each slot is a lane of its own, so that none takes the place of another.
                for (int s = 0; s < slots; s++) {
                    String name = "import" + i + "-" + s;
                    node.schedule(
                            BodyJob.job(name, body),
                            trigger(name, first.plusSeconds(s), 1).build());
                }
            }
            node.start();
        }
        await().atMost(QuartzNode.PATIENCE).until(() -> body.runs.size() >= 2 * jobs);
        for (int i = 0; i < 2; i++) {
            redis.server().kill();
            long before = denied(DenialReason.STORE_DOWN);
            await().atMost(QuartzNode.PATIENCE).until(() -> denied(DenialReason.STORE_DOWN) > before);
            redis.server().start();
        }
        awaitRuns(jobs * slots);

        assertThat(body.runs.stream().map(Body.Run::job)).doesNotHaveDuplicates();
        assertThat(body.origins()).contains("retry", "");
    }

    @Test
    void overlappingSlotRunsWhenTheRunBeforeItHasEnded() throws Exception {
        Instant first = soon();
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch release = new CountDownLatch(1);
        for (int n = 0; n < 3; n++) {
            node(QuartzNode.setup())
                    .schedule(
                            BodyJob.serial("import", context -> {
                                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                                body.run(context);
                                release.await(QuartzNode.PATIENCE.toSeconds(), TimeUnit.SECONDS);
                                running.decrementAndGet();
                            }),
                            trigger("import", first, 2).build())
                    .start();
        }
        await().atMost(QuartzNode.PATIENCE).until(() -> denied(DenialReason.HELD) >= 2);
        assertThat(body.runs).hasSize(1);
        release.countDown();
        awaitRuns(2);

        assertThat(body.slots()).containsExactly(first, first.plusSeconds(1));
        assertThat(most).hasValue(1);
    }

    @Test
    void slotThatANeighbourVetoedElsewhereRunsHere() throws Exception {
        Instant slot = soon();
        QuartzNode refusing = node(QuartzNode.setup());
        QuartzNode other = node(QuartzNode.setup());
        new Neighbour(Neighbour.Mischief.VETO).addTo(refusing.scheduler, "poll");
        for (QuartzNode node : nodes) {
            node.schedule(BodyJob.job("poll", body), trigger("poll", slot, 1).build())
                    .start();
        }
        awaitRuns(1);

        assertThat(other.recorder.count("executed")).isOne();
        assertThat(body.slots()).containsExactly(slot);
    }

    @Test
    void schedulerThatStandsStillLeavesTheSlotToAnother() throws Exception {
        Instant slot = soon();
        QuartzNode standing = node(QuartzNode.setup());
        QuartzNode other = node(QuartzNode.setup());
        for (QuartzNode node : nodes) {
            node.schedule(BodyJob.job("poll", body), trigger("poll", slot, 1).build());
        }
        redis.server().kill();
        for (QuartzNode node : nodes) {
            node.start();
        }
        await().atMost(QuartzNode.PATIENCE).until(() -> denied(DenialReason.STORE_DOWN) == 2);
        standing.scheduler.standby();
        redis.server().start();
        awaitRuns(1);

        assertThat(other.recorder.count("executed")).isOne();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pausedJobIsNotRun(boolean group) throws Exception {
        QuartzNode node = node(QuartzNode.setup());
        node.schedule(
                BodyJob.job("poll", body),
                trigger("poll", soon(), group ? 1 : 3_600).build());
        redis.server().kill();
        node.start();
        await().atMost(QuartzNode.PATIENCE).until(() -> denied(DenialReason.STORE_DOWN) >= 1);
        if (group) {
            node.scheduler.pauseJobs(GroupMatcher.jobGroupEquals(JobKey.DEFAULT_GROUP));
        } else {
            node.scheduler.pauseJob(JobKey.jobKey("poll"));
        }
        redis.server().start();
        await().atMost(QuartzNode.PATIENCE).until(() -> !node.outcomes.unclaimed.isEmpty());
        await().atMost(QuartzNode.PATIENCE).until(node::asksNothing);

        assertThat(node.scheduler.getTriggerKeys(GroupMatcher.triggerGroupEquals(JobLockQuartzListener.LATE_GROUP)))
                .isEmpty();
        assertThat(body.runs).isEmpty();
    }

    @Test
    void jobThatWasDeletedMeanwhileIsNotRun() throws Exception {
        QuartzNode node = node(QuartzNode.setup());
        node.schedule(BodyJob.job("poll", body), trigger("poll", soon(), 3_600).build());
        redis.server().kill();
        node.start();
        await().atMost(QuartzNode.PATIENCE).until(() -> denied(DenialReason.STORE_DOWN) >= 1);
        node.scheduler.deleteJob(JobKey.jobKey("poll"));
        redis.server().start();
        await().atMost(QuartzNode.PATIENCE).until(() -> node.outcomes.unclaimed.size() == 1);
        await().atMost(QuartzNode.PATIENCE).until(node::asksNothing);

        assertThat(body.runs).isEmpty();
    }

    @Test
    void lastFireOfAJobThatQuartzRemovesIsNotLost() throws Exception {
        QuartzNode node = node(QuartzNode.setup());
        Trigger last = trigger("closing", soon(), 1).build();
        node.scheduler.scheduleJob(BodyJob.job("closing", body), last);
        redis.server().kill();
        node.start();
        await().atMost(QuartzNode.PATIENCE).until(() -> denied(DenialReason.STORE_DOWN) == 1);
        await().atMost(QuartzNode.PATIENCE).until(() -> !node.scheduler.checkExists(JobKey.jobKey("closing")));
        redis.server().start();
        awaitRuns(1);

        await().atMost(QuartzNode.PATIENCE).until(() -> !node.scheduler.checkExists(JobKey.jobKey("closing")));
    }

    @Test
    void grantForWhichNoWorkerIsFreeGoesBackAndTheSlotStillRunsOnce() throws Exception {
        Instant slot = soon();
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        QuartzNode node = node(QuartzNode.setup().jobs("poll").threads(1));
        node.schedule(BodyJob.job("poll", body), trigger("poll", slot, 1).build());
        node.schedule(
                BodyJob.job("local", context -> {
                    busy.countDown();
                    release.await(QuartzNode.PATIENCE.toSeconds(), TimeUnit.SECONDS);
                }),
                trigger("local", slot.plusSeconds(1), 1).build());
        redis.server().kill();
        node.start();
        assertThat(busy.await(QuartzNode.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        redis.server().start();
        await().atMost(QuartzNode.PATIENCE).until(() -> node.outcomes.unclaimed.size() >= 1);
        assertThat(body.runs).isEmpty();
        release.countDown();
        awaitRuns(1);

        assertThat(body.slots()).containsExactly(slot);
        assertThat(node.outcomes.ended)
                .singleElement()
                .matches(lock -> lock.run().origin() == JobRun.Origin.RETRY);
    }

    @Test
    void lateFireWithoutGrantIsVetoed() throws Exception {
        QuartzNode node = node(QuartzNode.setup());
        node.schedule(BodyJob.job("poll", body)).start();
        Trigger leftOver = TriggerBuilder.newTrigger()
                .withIdentity("left over", JobLockQuartzListener.LATE_GROUP)
                .forJob("poll")
                .build();
        LateFireData.of(
                        JobRun.owed("poll", "lane", Instant.EPOCH),
                        trigger("poll", soon(), 1).build(),
                        new Date())
                .writeTo(leftOver.getJobDataMap());
        node.scheduler.scheduleJob(leftOver);
        await().atMost(QuartzNode.PATIENCE).until(() -> node.recorder.count("vetoed") == 1);

        assertThat(logs.lines(Level.INFO, "left over is not fired")).hasSize(1);
        assertThat(body.runs).isEmpty();
    }

    @Test
    void whatIsPendingEndsWithTheNode() throws Exception {
        QuartzNode node = node(QuartzNode.setup());
        node.schedule(BodyJob.job("poll", body), trigger("poll", soon(), 1).build());
        redis.server().kill();
        node.start();
        await().atMost(QuartzNode.PATIENCE).until(() -> denied(DenialReason.STORE_DOWN) == 1);
        node.service.close();

        assertThat(node.asksNothing()).isTrue();
        assertThat(node.scheduler.getTriggerState(TriggerKey.triggerKey("of poll")))
                .isEqualTo(Trigger.TriggerState.NONE);
    }

    @Test
    void logSaysHowLateItRan() throws Exception {
        QuartzNode node = node(QuartzNode.setup());
        node.schedule(BodyJob.job("poll", body), trigger("poll", soon(), 1).build());
        redis.server().kill();
        node.start();
        await().atMost(QuartzNode.PATIENCE).until(() -> denied(DenialReason.STORE_DOWN) == 1);
        redis.server().start();
        awaitRuns(1);
        await().atMost(QuartzNode.PATIENCE).until(() -> node.recorder.count("complete") == 1);

        assertThat(logs.lines(Level.INFO, "'poll' slot"))
                .singleElement()
                .asString()
                .matches(".* ran in \\d+ ms, \\d+ ms late, retry, token \\d+");
    }

    @Test
    void storeDownRunsOnEveryNodeWhereThePolicySaysSo() throws Exception {
        Instant slot = soon();
        for (int n = 0; n < 2; n++) {
            QuartzNode.Setup setup = QuartzNode.setup();
            setup.defaults.setWhenStoreDown("run");
            node(setup)
                    .schedule(
                            BodyJob.job("ping", body), trigger("ping", slot, 1).build());
        }
        redis.server().kill();
        for (QuartzNode node : nodes) {
            node.start();
        }
        awaitRuns(2);

        assertThat(nodes).allSatisfy(node -> {
            assertThat(node.recorder.count("executed")).isOne();
            assertThat(node.outcomes.denied).singleElement().matches(denied -> denied.isRunWithoutLock());
        });
        assertThat(nodes.stream().map(node -> node.outcomes.granted).flatMap(List<JobLock>::stream))
                .isEmpty();
        assertThat(new HashSet<>(body.slots())).containsExactly(slot);
    }
}
