package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.joblock.Denied;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.Slot;
import dev.joblock.testing.Logs;
import dev.joblock.testing.RedisExtension;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.quartz.CronScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;

/**
 * Nodes whose clocks are ahead run each slot at its time by Redis, once. A node that is ahead by a minute fires a slot a
 * minute early, so the slot that it asks for lies a minute in the future: that is how it is made here.
 */
class ClockAheadIT {
    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    private static final int JOBS = 10;
    private int slots = 20;
    private final String prefix = QuartzNode.newPrefix();
    private final List<QuartzNode> nodes = new ArrayList<>();
    private final List<String> runs = new CopyOnWriteArrayList<>();
    private final Map<String, Instant> early = new ConcurrentHashMap<>();
    private final Logs logs = Logs.of(JobLockQuartzListener.class);

    @AfterEach
    void close() {
        nodes.forEach(QuartzNode::close);
        logs.close();
    }

    private void node(Duration ahead, Instant first) throws Exception {
        QuartzNode node =
                new QuartzNode(redis.server(), prefix, QuartzNode.setup().unattached());
        nodes.add(node);
        JobLockQuartzListener listener = new JobLockQuartzListener(
                ahead(node.service, ahead), new JobLockPolicies(new JobLockPolicy(), List.of()));
        listener.setJobs("*");
        Wiring.attach(node.scheduler, listener);
        for (int i = 0; i < JOBS; i++) {
            String name = "report" + i;
            node.schedule(
                    BodyJob.job(name, context -> {
                        Body.Run run = Body.of(context);
                        boolean late = !run.origin().isEmpty();
                        Instant slot = late ? run.slot() : run.slot().plus(ahead);
                        Instant now = Instant.now();
                        if (now.plusMillis(500).isBefore(slot)) {
                            early.put(name + slot, now);
                        }
                        runs.add(name + " " + slot);
                    }),
                    trigger(name, first.minus(ahead)));
        }
        node.start();
    }

    private Trigger trigger(String name, Instant first) {
        return TriggerBuilder.newTrigger()
                .withIdentity("of " + name)
                .withSchedule(
                        CronScheduleBuilder.cronSchedule("* * * * * ?").withMisfireHandlingInstructionIgnoreMisfires())
                .startAt(Date.from(first))
                .endAt(Date.from(first.plusSeconds(slots).minusMillis(1)))
                .build();
    }

    /** The service as the listener of a node that is ahead asks it. */
    private static JobLockService ahead(JobLockService service, Duration ahead) {
        return (JobLockService) Proxy.newProxyInstance(
                ClockAheadIT.class.getClassLoader(),
                new Class<?>[] {JobLockService.class},
                (self, method, arguments) -> {
                    if (arguments != null
                            && arguments[0] instanceof JobRun run
                            && run.slot().isPresent()) {
                        arguments[0] = moved(run, ahead);
                    }
                    try {
                        return method.invoke(service, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static JobRun moved(JobRun run, Duration ahead) {
        Slot slot = run.slot().orElseThrow();
        Instant scheduled = slot.scheduled().plus(ahead);
        Slot moved = slot.next()
                .map(next -> Slot.of(scheduled, next.plus(ahead), slot.definition()))
                .orElseGet(() -> Slot.last(scheduled, null, slot.definition()));
        return JobRun.slot(run.job(), run.lane(), moved)
                .withLockName(run.lockName())
                .beforeStart();
    }

    private long fires() {
        return nodes.stream()
                .mapToLong(node -> node.recorder.count("vetoed") + node.recorder.count("executed"))
                .sum();
    }

    @Test
    void twoHundredSlotsRunOnceAndOnTimeWithNodesThatAreAhead() throws Exception {
        Instant first = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 63);
        node(Duration.ofSeconds(60), first);
        node(Duration.ofSeconds(2), first);
        node(Duration.ZERO, first);
        await().atMost(QuartzNode.PATIENCE.multipliedBy(4))
                .until(() -> fires() >= 3L * JOBS * slots && nodes.stream().allMatch(QuartzNode::asksNothing));

        assertThat(runs).hasSize(JOBS * slots).doesNotHaveDuplicates();
        assertThat(early).isEmpty();
        assertThat(logs.lines(Level.WARN, "held back until its time by Redis: clock ahead"))
                .hasSizeGreaterThanOrEqualTo(JOBS)
                .hasSizeLessThanOrEqualTo(6 * JOBS)
                .allMatch(line -> line.contains(" before that"));
    }

    @Test
    void nodeAheadRunsAloneWhatNobodyElseRuns() throws Exception {
        slots = 6;
        Instant first = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 10);
        node(Duration.ofSeconds(6), first);
        await().atMost(QuartzNode.PATIENCE.multipliedBy(2))
                .until(() -> runs.size() >= JOBS * slots && nodes.stream().allMatch(QuartzNode::asksNothing));

        assertThat(runs).hasSize(JOBS * slots).doesNotHaveDuplicates();
        assertThat(early).isEmpty();
        assertThat(nodes.get(0).outcomes.denied)
                .hasSize(JOBS * slots)
                .extracting(Denied::reason)
                .doesNotContainNull();
    }
}
