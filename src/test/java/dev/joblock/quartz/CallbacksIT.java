package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.DenialReason;
import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LockOutcome;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionException;
import org.quartz.JobKey;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.Trigger.TriggerState;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.listeners.SchedulerListenerSupport;

/** Every way in which Quartz calls back, or does not. */
@Execution(ExecutionMode.CONCURRENT)
class CallbacksIT {
    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    private final String prefix = QuartzNode.newPrefix();
    private final List<QuartzNode> nodes = new ArrayList<>();
    private final Instant slot = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 1);

    @AfterEach
    void close() {
        nodes.forEach(QuartzNode::close);
    }

    @Test
    void vetoIsToldByJobExecutionVetoedAndByNothingElse() throws Exception {
        for (int n = 0; n < 2; n++) {
            node().schedule(QuartzNode.job("invoice"), oneSlot("invoice")).start();
        }
        await().atMost(QuartzNode.PATIENCE).until(() -> count("executed") + count("vetoed") == 2);

        assertThat(count("executed")).isEqualTo(1);
        QuartzNode loser = nodes.get(0).recorder.count("vetoed") == 1 ? nodes.get(0) : nodes.get(1);
        assertThat(loser.recorder.calls)
                .extracting(RecordingListener.Call::callback)
                .containsExactly("fired", "vetoed");
    }

    @Test
    void refireKeepsItsLockAndLetsNoOtherNodeIn() throws Exception {
        QuartzNode node = node();
        QuartzNode other = node();
        List<Long> tokens = new CopyOnWriteArrayList<>();
        List<Boolean> othersGotIn = new CopyOnWriteArrayList<>();
        AtomicInteger attempts = new AtomicInteger();
        node.schedule(
                        BodyJob.job("flaky", context -> {
                            tokens.add(current(node).fencingToken());
                            othersGotIn.add(other.service
                                    .tryLock(JobRun.exclusive("flaky"))
                                    .isGranted());
                            if (attempts.incrementAndGet() < 3) {
                                throw new JobExecutionException("again", true);
                            }
                        }),
                        oneSlot("flaky"))
                .start();
        await().atMost(QuartzNode.PATIENCE).until(() -> node.outcomes.ended.size() == 1);

        assertThat(attempts).hasValue(3);
        assertThat(tokens).hasSize(3).containsOnly(tokens.get(0));
        assertThat(othersGotIn).containsExactly(false, false, false);
        assertThat(node.outcomes.granted).hasSize(1);
        assertThat(node.outcomes.failures).isEmpty();
        assertThat(node.recorder.count("vetoed")).isZero();
        assertThat(other.service.tryLock(JobRun.exclusive("flaky")).isGranted()).isTrue();
    }

    @Test
    void endlessRefireIsStoppedAtItsLimitAndFreesTheLock() throws Exception {
        QuartzNode node = node();
        AtomicInteger attempts = new AtomicInteger();
        AtomicBoolean stop = new AtomicBoolean();
        node.schedule(
                        BodyJob.serial("endless", context -> {
                            attempts.incrementAndGet();
                            if (!stop.get()) {
                                throw new JobExecutionException("again", true);
                            }
                        }),
                        everySecond("endless"))
                .start();
        await().atMost(QuartzNode.PATIENCE).until(() -> node.outcomes.ended.size() == 1);
        stop.set(true);

        assertThat(attempts).hasValue(1 + Fires.MOST_REFIRES);
        assertThat(node.recorder.count("vetoed")).isEqualTo(1);
        assertThat(node.outcomes.failures).singleElement().isInstanceOf(JobExecutionException.class);
        await().atMost(QuartzNode.PATIENCE).until(() -> node.outcomes.ended.size() >= 2);
        assertThat(node.outcomes.failures).hasSize(1);
    }

    @Test
    void refireWhoseLeaseIsLostIsNotRun() throws Exception {
        QuartzNode node = node(QuartzNode.setup().policies(policy("lossy", "2s")));
        AtomicInteger attempts = new AtomicInteger();
        node.schedule(
                        BodyJob.serial("lossy", context -> {
                            attempts.incrementAndGet();
                            redis.server().call("DEL", prefix + "lossy");
                            JobLock lock = current(node);
                            await().atMost(QuartzNode.PATIENCE).until(() -> !lock.isHeld());
                            throw new JobExecutionException("again", true);
                        }),
                        oneSlot("lossy"))
                .start();
        await().atMost(QuartzNode.PATIENCE).until(() -> node.recorder.count("vetoed") == 1);

        assertThat(attempts).hasValue(1);
        assertThat(node.outcomes.lost).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(classes = {BodyJob.class, BodyJob.Serial.class})
    void jobThatThrowsAnErrorReleasesItsLockAndFiresAgain(Class<? extends BodyJob> type) throws Exception {
        QuartzNode node = node();
        AssertionError thrown = new AssertionError("on purpose");
        node.schedule(
                        BodyJob.job(type, "broken", context -> {
                            throw thrown;
                        }),
                        everySecond("broken"))
                .start();
        await().atMost(QuartzNode.PATIENCE).until(() -> node.outcomes.ended.size() >= 2);

        assertThat(node.outcomes.failures.get(0)).isSameAs(thrown);
        assertThat(node.outcomes.failures).hasSizeGreaterThanOrEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = Neighbour.Mischief.class,
            names = {"VETO", "THROW_IN_TRIGGER_FIRED", "THROW_IN_VETO", "THROW_IN_TO_BE_EXECUTED", "THROW_IN_VETOED"})
    void slotThatANeighbourAfterUsStopsIsUnclaimedAndRunByAnotherNode(Neighbour.Mischief mischief) throws Exception {
        QuartzNode node = node();
        new Neighbour(mischief).addTo(node.scheduler, "stopped");
        QuartzNode other = node();
        for (QuartzNode each : nodes) {
            each.schedule(QuartzNode.job("stopped"), oneSlot("stopped"));
        }
        node.start();
        await().atMost(QuartzNode.PATIENCE).until(() -> node.outcomes.unclaimed.size() == 1);
        other.start();
        await().atMost(QuartzNode.PATIENCE).until(() -> other.recorder.count("executed") == 1);

        assertThat(node.outcomes.granted).hasSize(1);
        assertThat(node.recorder.count("executed")).isZero();
        assertThat(other.recorder.slots("executed")).containsExactly(slot);
        assertThat(other.outcomes.granted.get(0).fencingToken())
                .isGreaterThan(node.outcomes.granted.get(0).fencingToken());
    }

    @ParameterizedTest
    @EnumSource(
            value = Neighbour.Mischief.class,
            names = {"VETO", "THROW_IN_TRIGGER_FIRED", "THROW_IN_VETO", "ERROR_IN_VETO", "THROW_IN_TO_BE_EXECUTED"})
    void slotThatANeighbourBeforeUsStopsIsRunByAnotherNode(Neighbour.Mischief mischief) throws Exception {
        QuartzNode node = node(QuartzNode.setup().unattached());
        new Neighbour(mischief).addTo(node.scheduler, "stopped");
        Wiring.attach(node.scheduler, node.listener);
        QuartzNode other = node();
        for (QuartzNode each : nodes) {
            each.schedule(QuartzNode.job("stopped"), oneSlot("stopped"));
        }
        node.schedule(QuartzNode.job("later"), everySecond("later")).start();
        // Where the neighbour lets us be asked, the other node must not ask before our grant is taken back.
        boolean asked = mischief == Neighbour.Mischief.VETO || mischief == Neighbour.Mischief.THROW_IN_TO_BE_EXECUTED;
        await().atMost(QuartzNode.PATIENCE)
                .until(() -> node.recorder.count("executed", "later") >= 1
                        && node.recorder.count("fired", "stopped") == 1
                        && node.outcomes.unclaimed.size() == (asked ? 1 : 0));
        other.start();
        await().atMost(QuartzNode.PATIENCE).until(() -> other.recorder.count("executed") == 1);

        assertThat(node.recorder.count("executed", "stopped")).isZero();
        assertThat(other.recorder.slots("executed")).containsExactly(slot);
    }

    @Test
    void vetoOfANeighbourLeavesNoTriggerBlocked() throws Exception {
        QuartzNode node = node();
        new Neighbour(Neighbour.Mischief.VETO).addTo(node.scheduler, "stopped");
        node.schedule(BodyJob.serial("stopped", context -> {}), everySecond("stopped"))
                .start();
        await().atMost(QuartzNode.PATIENCE).until(() -> node.outcomes.unclaimed.size() >= 2);

        assertThat(node.recorder.count("vetoed")).isGreaterThanOrEqualTo(2);
        assertThat(node.outcomes.ended).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Neighbour.Mischief.class,
            names = {"ERROR_IN_VETO", "ERROR_IN_TO_BE_EXECUTED"})
    void errorOfANeighbourIsSettledWhenItsThreadFiresAgain(Neighbour.Mischief mischief) throws Exception {
        QuartzNode node = node(QuartzNode.setup().threads(1).jobs("stopped"));
        new Neighbour(mischief).addTo(node.scheduler, "stopped");
        List<Optional<JobLock>> seen = new CopyOnWriteArrayList<>();
        node.schedule(QuartzNode.job("stopped"), oneSlot("stopped"))
                .schedule(
                        BodyJob.job("unguarded", context -> seen.add(node.service.current())),
                        everySecond("unguarded")
                                .getTriggerBuilder()
                                .withPriority(1)
                                .build())
                .start();
        await().atMost(QuartzNode.PATIENCE).until(() -> node.outcomes.unclaimed.size() == 1 && seen.size() >= 2);

        assertThat(seen)
                .as("no lock of the stopped job leaks to the next on its thread")
                .containsOnly(Optional.empty());
        assertThat(node.recorder.count("executed", "stopped")).isZero();
        QuartzNode other = node();
        other.schedule(QuartzNode.job("stopped"), oneSlot("stopped")).start();
        await().atMost(QuartzNode.PATIENCE).until(() -> other.recorder.count("executed") == 1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Neighbour.Mischief.class,
            names = {"ERROR_IN_VETO", "ERROR_IN_TO_BE_EXECUTED"})
    void errorOfANeighbourCostsNoMoreThanTheStartLease(Neighbour.Mischief mischief) throws Exception {
        QuartzNode node = node();
        new Neighbour(mischief).addTo(node.scheduler, "stopped");
        node.schedule(QuartzNode.job("stopped"), oneSlot("stopped")).start();
        await().atMost(QuartzNode.PATIENCE).until(() -> node.outcomes.granted.size() == 1);
        JobLock stuck = node.outcomes.granted.get(0);

        QuartzNode other = node();
        assertThat(other.service.tryLock(JobRun.exclusive("stopped")).isGranted())
                .isFalse();
        LockOutcome outcome = other.service.tryLock(JobRun.exclusive("stopped"), Duration.ofSeconds(25));

        assertThat(outcome).isInstanceOf(Granted.class);
        // Without the short start lease it would be the 30 s of the policy, and with a renewal for ever.
        assertThat(Duration.between(stuck.since(), ((Granted) outcome).lock().since()))
                .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @EnumSource(
            value = Neighbour.Mischief.class,
            names = {"THROW_IN_WAS_EXECUTED", "ERROR_IN_WAS_EXECUTED"})
    void neighbourThatThrowsAfterTheJobHoldsUpNoRelease(Neighbour.Mischief mischief) throws Exception {
        QuartzNode node = node();
        new Neighbour(mischief).addTo(node.scheduler, "done");
        node.schedule(QuartzNode.job("done"), oneSlot("done")).start();

        await().atMost(QuartzNode.PATIENCE).until(() -> node.outcomes.ended.size() == 1);
        assertThat(node.outcomes.failures).isEmpty();
        assertThat(node().service.tryLock(JobRun.exclusive("done")).isGranted()).isTrue();
    }

    @Test
    void refireThatANeighbourPreventsEndsTheRun() throws Exception {
        QuartzNode node = node();
        new Neighbour(Neighbour.Mischief.THROW_IN_WAS_EXECUTED).addTo(node.scheduler, "flaky");
        node.schedule(
                        BodyJob.job("flaky", context -> {
                            throw new JobExecutionException("again", true);
                        }),
                        oneSlot("flaky"))
                .start();

        await().atMost(QuartzNode.PATIENCE).until(() -> node.outcomes.ended.size() == 1);
        assertThat(node.outcomes.failures).singleElement().isInstanceOf(JobExecutionException.class);
    }

    @Test
    void runThatIsLongerThanItsLeaseIsRenewedAndIsTheThreadsCurrentRun() throws Exception {
        QuartzNode node = node(QuartzNode.setup().policies(policy("long", "2s")));
        QuartzNode other = node();
        AtomicBoolean heldToTheEnd = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        node.schedule(
                        BodyJob.job("long", context -> {
                            JobLock lock = current(node);
                            begun.countDown();
                            Instant end = Instant.now().plusMillis(5_500);
                            await().atMost(QuartzNode.PATIENCE)
                                    .until(() -> !lock.isHeld() || Instant.now().isAfter(end));
                            heldToTheEnd.set(lock.isHeld());
                        }),
                        oneSlot("long"))
                .start();
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        await().atMost(QuartzNode.PATIENCE).until(() -> {
            other.service.tryLock(JobRun.exclusive("long"));
            return node.outcomes.ended.size() == 1;
        });

        assertThat(heldToTheEnd).isTrue();
        assertThat(node.outcomes.lost).isEmpty();
        assertThat(other.outcomes.denied(DenialReason.HELD)).isGreaterThan(10);
    }

    @Test
    void overlongRunHoldsOffTheSlotsOfAllNodesAndTheNextOneAfterItRuns() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();
        for (int n = 0; n < 2; n++) {
            node().schedule(
                            BodyJob.job("import", context -> {
                                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                                runs.incrementAndGet();
                                Instant end = Instant.now().plusMillis(2_500);
                                await().atMost(QuartzNode.PATIENCE)
                                        .until(() -> Instant.now().isAfter(end));
                                running.decrementAndGet();
                            }),
                            everySecond("import"))
                    .start();
        }
        await().atMost(QuartzNode.PATIENCE).until(() -> runs.get() == 3);

        assertThat(most).hasValue(1);
        assertThat(nodes.get(0).outcomes.denied(DenialReason.HELD)
                        + nodes.get(1).outcomes.denied(DenialReason.HELD))
                .isGreaterThanOrEqualTo(4);
    }

    @Test
    void dryRunAsksAndNeverVetoes() throws Exception {
        for (int n = 0; n < 2; n++) {
            QuartzNode node = node().schedule(QuartzNode.job("trial"), oneSlot("trial"));
            node.listener.setDryRun(true);
            node.start();
        }
        await().atMost(QuartzNode.PATIENCE).until(() -> count("executed") == 2);

        assertThat(count("vetoed")).isZero();
        assertThat(nodes.get(0).outcomes.granted.size()
                        + nodes.get(1).outcomes.granted.size())
                .isEqualTo(1);
        assertThat(nodes.get(0).outcomes.denied.size()
                        + nodes.get(1).outcomes.denied.size())
                .isEqualTo(1);
    }

    @Test
    void switchedOffNothingIsAsked() throws Exception {
        for (int n = 0; n < 2; n++) {
            QuartzNode node = node().schedule(QuartzNode.job("trial"), oneSlot("trial"));
            node.listener.setEnabled(false);
            node.start();
        }
        await().atMost(QuartzNode.PATIENCE).until(() -> count("executed") == 2);

        assertThat(nodes).allMatch(node -> node.outcomes.granted.isEmpty() && node.outcomes.denied.isEmpty());
        assertThat(redis.server().call("EXISTS", prefix + "trial")).isEqualTo(0L);
    }

    @Test
    void jobsThatNothingNamesAreLeftAlone() throws Exception {
        for (int n = 0; n < 2; n++) {
            node(QuartzNode.setup().jobs("in*,!inventory").policies(policy("special", "5s")))
                    .schedule(QuartzNode.job("invoice"), oneSlot("invoice"))
                    .schedule(QuartzNode.job("special"), oneSlot("special"))
                    .schedule(QuartzNode.job("inventory"), oneSlot("inventory"))
                    .schedule(QuartzNode.job("local"), oneSlot("local"))
                    .start();
        }
        await().atMost(QuartzNode.PATIENCE).until(() -> count("executed") + count("vetoed") == 8);

        assertThat(executed("invoice")).isEqualTo(1);
        assertThat(executed("special")).isEqualTo(1);
        assertThat(executed("inventory")).isEqualTo(2);
        assertThat(executed("local")).isEqualTo(2);
    }

    @Test
    void secondListenerOnASchedulerLeavesTheFireToTheFirst() throws Exception {
        QuartzNode node = node();
        QuartzNode second = node();
        Wiring.attach(node.scheduler, second.listener);
        node.schedule(QuartzNode.job("invoice"), oneSlot("invoice")).start();
        await().atMost(QuartzNode.PATIENCE).until(() -> node.recorder.count("complete") == 1);

        assertThat(node.recorder.count("executed")).isEqualTo(1);
        assertThat(node.listener.getName()).isNotEqualTo(second.listener.getName());
        assertThat(node.outcomes.granted.size() + second.outcomes.granted.size())
                .isEqualTo(1);
        assertThat(node.outcomes.denied.size() + second.outcomes.denied.size()).isZero();
    }

    @Test
    void deniedManualRunLeavesNoTriggerBehind() throws Exception {
        QuartzNode node = node();
        QuartzNode other = node();
        node.schedule(QuartzNode.job("report")).start();
        assertThat(other.service.tryLock(JobRun.exclusive("report")).isGranted())
                .isTrue();
        node.scheduler.triggerJob(JobKey.jobKey("report"));
        await().atMost(QuartzNode.PATIENCE).until(() -> node.recorder.count("vetoed") == 1);

        await().atMost(QuartzNode.PATIENCE)
                .until(() ->
                        node.scheduler.getTriggersOfJob(JobKey.jobKey("report")).isEmpty());
        assertThat(node.outcomes.denied(DenialReason.HELD)).isEqualTo(1);
    }

    @Test
    void jobsAddedWhileOthersFireAreGuarded() throws Exception {
        List<String> errors = new CopyOnWriteArrayList<>();
        for (int n = 0; n < 2; n++) {
            QuartzNode node = node(QuartzNode.setup().threads(20));
            node.scheduler.getListenerManager().addSchedulerListener(new SchedulerListenerSupport() {
                @Override
                public void schedulerError(String message, SchedulerException cause) {
                    errors.add(message);
                }
            });
            node.start();
        }
        for (int i = 0; i < 200; i++) {
            String job = "job" + i;
            for (QuartzNode node : nodes) {
                node.schedule(QuartzNode.job(job), oneSlot(job));
            }
        }
        await().atMost(QuartzNode.PATIENCE).until(() -> count("executed") + count("vetoed") == 400);

        assertThat(errors).isEmpty();
        assertThat(nodes.stream()
                        .flatMap(node -> node.recorder.calls("executed").stream())
                        .map(RecordingListener.Call::job))
                .doesNotHaveDuplicates()
                // On a starved machine a few fires are denied as store slow on both nodes.
                .hasSizeGreaterThan(100);
    }

    @Test
    void sameNameInOtherGroupsIsAnotherLock() throws Exception {
        QuartzNode node = node();
        CountDownLatch all = new CountDownLatch(3);
        for (String group : List.of("DEFAULT", "tenantA", "tenantB")) {
            JobDetail job = BodyJob.job("import", context -> {
                        all.countDown();
                        await().atMost(QuartzNode.PATIENCE).until(() -> all.getCount() == 0);
                    })
                    .getJobBuilder()
                    .withIdentity("import", group)
                    .build();
            node.schedule(job, oneSlot("import in " + group));
        }
        node.start();

        await().atMost(QuartzNode.PATIENCE).until(() -> node.recorder.count("executed") == 3);
        assertThat(node.outcomes.granted)
                .extracting(JobLock::lockName)
                .containsExactlyInAnyOrder("import", "tenantA.import", "tenantB.import");
    }

    @Test
    void triggerOfAVetoedJobStaysNormal() throws Exception {
        QuartzNode node = node();
        QuartzNode other = node();
        assertThat(other.service.tryLock(JobRun.exclusive("serial")).isGranted())
                .isTrue();
        node.schedule(BodyJob.serial("serial", context -> {}), everySecond("serial"))
                .start();
        await().atMost(QuartzNode.PATIENCE).until(() -> node.recorder.count("vetoed") >= 2);

        await().atMost(QuartzNode.PATIENCE)
                .until(() -> node.scheduler.getTriggerState(TriggerKey.triggerKey("of serial")) == TriggerState.NORMAL);
    }

    private QuartzNode node() {
        return node(QuartzNode.setup());
    }

    private QuartzNode node(QuartzNode.Setup setup) {
        QuartzNode node = new QuartzNode(redis.server(), prefix, setup);
        nodes.add(node);
        return node;
    }

    private static JobLockPolicy policy(String jobs, String lease) {
        JobLockPolicy policy = new JobLockPolicy();
        policy.setJobs(jobs);
        policy.setLease(lease);
        return policy;
    }

    private static JobLock current(QuartzNode node) {
        return node.service.current().orElseThrow();
    }

    private Trigger oneSlot(String job) {
        return trigger(job).endAt(Date.from(slot.plusMillis(999))).build();
    }

    private Trigger everySecond(String job) {
        return trigger(job).build();
    }

    private TriggerBuilder<?> trigger(String job) {
        return TriggerBuilder.newTrigger()
                .withIdentity("of " + job)
                .withPriority(10)
                .withSchedule(
                        CronScheduleBuilder.cronSchedule("* * * * * ?").withMisfireHandlingInstructionIgnoreMisfires())
                .startAt(Date.from(slot));
    }

    private long count(String callback) {
        return nodes.stream().mapToLong(node -> node.recorder.count(callback)).sum();
    }

    private long executed(String job) {
        return nodes.stream()
                .mapToLong(node -> node.recorder.count("executed", job))
                .sum();
    }
}
