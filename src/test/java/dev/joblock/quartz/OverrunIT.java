package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.LockMode;
import dev.joblock.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.quartz.CronScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;

/** One run holds the slots of the next seconds off: each of them runs after all, or is overrun, told once in the whole cluster. */
class OverrunIT {
    private final String prefix = QuartzNode.newPrefix();
    private final List<QuartzNode> nodes = new ArrayList<>();
    private final AtomicReference<@Nullable Instant> running = new AtomicReference<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private Instant first = Instant.EPOCH;

    @AfterEach
    void close() {
        end.countDown();
        nodes.forEach(QuartzNode::close);
    }

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void everySlotRunsOrIsOverrun(LockMode mode) throws Exception {
        start(mode, "0s", 10);
        List<Instant> held = after(awaitRun(), 3);
        awaitHeld(held);
        end.countDown();
        awaitEnd(10);

        assertThat(overrun()).containsAll(held);
        assertEachRunsOrIsOverrun(10);
    }

    /** The run goes on until all others have been held off: the newest of them is run late by one node. */
    @ParameterizedTest
    @EnumSource(LockMode.class)
    void slotThatIsRunLateIsNotOverrun(LockMode mode) throws Exception {
        start(mode, "5m", 5);
        Instant run = awaitRun();
        Instant last = first.plusSeconds(4);
        List<Instant> held = after(run, (int) Duration.between(run, last).toSeconds());
        awaitHeld(held);
        end.countDown();
        awaitEnd(5);

        assertThat(ended())
                .extracting(lock -> lock.run().origin())
                .containsExactly(JobRun.Origin.SCHEDULED, JobRun.Origin.RETRY);
        assertThat(slots(ended().stream().map(JobLock::run).toList())).containsExactly(run, last);
        assertThat(overrun()).containsExactlyInAnyOrderElementsOf(held.subList(0, held.size() - 1));
        assertEachRunsOrIsOverrun(5);
    }

    private void start(LockMode mode, String retry, int slots) throws Exception {
        for (int i = 0; i < 3; i++) {
            QuartzNode.Setup setup = QuartzNode.setup().mode(mode);
            setup.defaults.setRetry(retry);
            nodes.add(new QuartzNode(RedisServer.shared(), prefix, setup));
        }
        first = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 3);
        for (QuartzNode node : nodes) {
            node.schedule(BodyJob.job("report", context -> hold(Body.of(context))), trigger(slots))
                    .start();
        }
    }

    private Trigger trigger(int slots) {
        return TriggerBuilder.newTrigger()
                .withIdentity("secondly")
                .withSchedule(
                        CronScheduleBuilder.cronSchedule("* * * * * ?").withMisfireHandlingInstructionIgnoreMisfires())
                .startAt(Date.from(first))
                .endAt(Date.from(first.plusSeconds(slots).minusMillis(1)))
                .build();
    }

    /** The first run goes on until the test ends it. */
    private void hold(Body.Run run) throws InterruptedException {
        if (running.compareAndSet(null, run.slot())) {
            assertThat(end.await(2 * QuartzNode.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    private Instant awaitRun() {
        await().atMost(QuartzNode.PATIENCE).until(() -> running.get() != null);
        return Objects.requireNonNull(running.get());
    }

    private static List<Instant> after(Instant slot, int slots) {
        return IntStream.rangeClosed(1, slots).mapToObj(slot::plusSeconds).toList();
    }

    /** Every node was held off in each of these slots. */
    private void awaitHeld(List<Instant> slots) {
        await().atMost(QuartzNode.PATIENCE)
                .until(() -> nodes.stream()
                        .allMatch(node -> slots(node.outcomes.held).containsAll(slots)));
    }

    /** All have fired each slot, know what became of it, and have told it. */
    private void awaitEnd(int slots) {
        await().atMost(QuartzNode.PATIENCE.multipliedBy(2))
                .until(() -> nodes.stream()
                        .allMatch(node -> node.asksNothing()
                                && node.recorder.calls.stream()
                                                .filter(call -> call.callback().equals("vetoed")
                                                        || call.callback().equals("executed"))
                                                .filter(call -> call.trigger().equals("secondly"))
                                                .count()
                                        == slots
                                && node.outcomes.ended.size() + node.outcomes.unclaimed.size()
                                        == node.outcomes.granted.size()));
    }

    private List<JobLock> ended() {
        return nodes.stream()
                .flatMap(node -> node.outcomes.ended.stream())
                .sorted(Comparator.comparing(JobLock::fencingToken))
                .toList();
    }

    private List<Instant> overrun() {
        return nodes.stream()
                .flatMap(node -> slots(node.outcomes.overrun).stream())
                .toList();
    }

    /**
     * Exactly: a slot that did not run is overrun if the node that ran the next one was held off in it. On a machine that stands still
     * at a bad moment, that node may have asked for it too late.
     */
    private void assertEachRunsOrIsOverrun(int slots) {
        TreeMap<Instant, String> runs = new TreeMap<>();
        for (JobLock lock : ended()) {
            Instant slot = lock.run().slot().orElseThrow().scheduled();
            assertThat(runs.put(slot, lock.holder().node()))
                    .as("slot %s ran twice", slot)
                    .isNull();
        }
        Set<Instant> expected = new TreeSet<>();
        for (int n = 0; n < slots; n++) {
            Instant slot = first.plusSeconds(n);
            if (!runs.containsKey(slot) && runs.higherKey(slot) != null) {
                String next = runs.higherEntry(slot).getValue();
                nodes.stream()
                        .filter(node -> node.id.equals(next)
                                && slots(node.outcomes.held).contains(slot))
                        .forEach(node -> expected.add(slot));
            }
        }
        assertThat(overrun()).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(expected);
        System.out.println(
                slots + " slots: " + runs.size() + " ran, " + overrun().size() + " overrun");
    }

    private static List<Instant> slots(Collection<JobRun> runs) {
        return runs.stream().map(run -> run.slot().orElseThrow().scheduled()).toList();
    }
}
