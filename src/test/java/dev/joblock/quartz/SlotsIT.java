package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.DenialReason;
import dev.joblock.JobLock;
import dev.joblock.LockMode;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.quartz.CronScheduleBuilder;
import org.quartz.DailyTimeIntervalScheduleBuilder;
import org.quartz.ScheduleBuilder;
import org.quartz.SchedulerException;
import org.quartz.TimeOfDay;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.calendar.CronCalendar;

/** Runs equal slots on two independent nodes, for every kind of trigger whose fire times nodes share. */
@Execution(ExecutionMode.CONCURRENT)
class SlotsIT {
    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    /** In seconds; long enough for a busy machine not to fall a slot behind. */
    private static final long PERIOD = 2;

    private static final String EVERY_SLOT = "0/2 * * * * ?";

    private final String prefix = QuartzNode.newPrefix();
    private final List<QuartzNode> nodes = new ArrayList<>();
    /** The first slot of a test; set when all nodes are up. */
    private Instant first = Instant.EPOCH;

    @AfterEach
    void close() {
        nodes.forEach(QuartzNode::close);
    }

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void cronRunsOncePerSlot(LockMode mode) throws Exception {
        startNodes(QuartzNode.setup().mode(mode), QuartzNode.setup().mode(mode));
        for (QuartzNode node : nodes) {
            node.schedule(QuartzNode.job("invoice"), within(cron(EVERY_SLOT), 6));
        }

        awaitFires(6, 6);

        assertThat(runs()).isEqualTo(slots(0, 1, 2, 3, 4, 5));
        assertThat(vetoes()).isEqualTo(runs());
    }

    @Test
    void dailyTimeIntervalRunsOncePerSlot() throws Exception {
        ScheduleBuilder<?> everyTwoSeconds = DailyTimeIntervalScheduleBuilder.dailyTimeIntervalSchedule()
                .withIntervalInSeconds(2)
                .startingDailyAt(TimeOfDay.hourAndMinuteOfDay(0, 0));
        startNodes(QuartzNode.setup(), QuartzNode.setup());
        for (QuartzNode node : nodes) {
            node.schedule(QuartzNode.job("daily"), within(everyTwoSeconds, 3));
        }

        awaitFires(3, 3);

        assertThat(runs()).hasSize(3).doesNotHaveDuplicates().isEqualTo(vetoes());
    }

    @Test
    void usedUpRepeatCountDoesNotEndTheLane() throws Exception {
        DailyTimeIntervalScheduleBuilder twice = DailyTimeIntervalScheduleBuilder.dailyTimeIntervalSchedule()
                .withIntervalInSeconds(1)
                .startingDailyAt(TimeOfDay.hourAndMinuteOfDay(0, 0))
                .withRepeatCount(1);
        startNodes(QuartzNode.setup(), QuartzNode.setup());
        QuartzNode before = nodes.get(0);
        before.schedule(QuartzNode.job("counted"), within(twice, 60));
        await().atMost(QuartzNode.PATIENCE).until(() -> before.recorder.count("executed") == 2);

        // A restart counts from the beginning.
        QuartzNode after = nodes.get(1);
        after.schedule(QuartzNode.job("counted"), trigger("t", twice, soon(), null));
        await().atMost(QuartzNode.PATIENCE).until(() -> after.recorder.count("fired") == 2);

        await().atMost(QuartzNode.PATIENCE).until(() -> after.recorder.count("executed") == 2);
        assertThat(after.recorder.count("vetoed")).isZero();
    }

    @Test
    void misfiredSlotRunsOnceThoughEachNodeSchedulesItAnew() throws Exception {
        prepare(misfiring(), misfiring());
        for (QuartzNode node : nodes) {
            node.schedule(QuartzNode.job("late"), within(cron("0/4 * * * * ?"), 60));
        }
        Instant slot = first;
        for (int round = 0; round < 3; round++) {
            for (QuartzNode node : nodes) {
                node.scheduler.standby();
            }
            awaitTime(slot.plusMillis(200));
            for (QuartzNode node : nodes) {
                long fires = node.recorder.count("fired");
                node.scheduler.start();
                await().atMost(QuartzNode.PATIENCE).until(() -> node.recorder.count("fired") > fires);
            }
            slot = slot.plusSeconds(4);
        }
        awaitTime(slot.plusMillis(200));
        await().atMost(QuartzNode.PATIENCE)
                .until(() -> nodes.stream().allMatch(n -> n.recorder.count("fired") == 4 && isQuiet(n)));

        assertThat(nodes).allMatch(node -> node.recorder.count("misfired") == 3);
        List<Instant> runs = runs();
        assertThat(runs).as("three misfired slots and one on time").hasSize(4);
        assertThat(runs.stream().map(run -> run.getEpochSecond() / 4).distinct())
                .hasSize(4);
        assertThat(vetoes()).hasSize(4).doesNotContainAnyElementsOf(runs.subList(0, 3));
    }

    @Test
    void lastFireBeforeTheEndTimeRunsOnce() throws Exception {
        startNodes(QuartzNode.setup(), QuartzNode.setup());
        for (QuartzNode node : nodes) {
            node.schedule(QuartzNode.job("last"), within(cron(EVERY_SLOT), 1));
        }

        awaitFires(1, 1);

        assertThat(runs()).isEqualTo(slots(0));
        assertThat(vetoes()).isEqualTo(slots(0));
    }

    @Test
    void misfiredLastFireRunsOnceOnWhicheverNodeIsFirst() throws Exception {
        prepare(QuartzNode.setup(), misfiring(), misfiring());
        QuartzNode onTime = nodes.get(0);
        QuartzNode late = nodes.get(1);
        QuartzNode later = nodes.get(2);
        for (QuartzNode node : nodes) {
            node.schedule(QuartzNode.job("last"), within(cron(EVERY_SLOT), 1));
        }
        onTime.start();
        await().atMost(QuartzNode.PATIENCE).until(() -> onTime.recorder.count("executed") == 1);
        for (QuartzNode node : List.of(late, later)) {
            awaitTime(first.plusMillis(2_500));
            node.start();
            await().atMost(QuartzNode.PATIENCE).until(() -> node.recorder.count("vetoed") == 1);
        }

        assertThat(late.recorder.count("misfired")).isEqualTo(1);
        assertThat(runs()).isEqualTo(slots(0));
        assertThat(late.outcomes.denied(DenialReason.TAKEN)).isEqualTo(1);
    }

    @Test
    void lastFireThatAllNodesMissedRunsOnce() throws Exception {
        prepare(misfiring(), misfiring());
        for (QuartzNode node : nodes) {
            node.schedule(QuartzNode.job("last"), within(cron(EVERY_SLOT), 1));
        }
        // The slot is missed, and the end time passes, before either node is up.
        awaitTime(first.plusMillis(2_500));
        startAll();

        awaitFires(1, 1);

        assertThat(nodes).allMatch(node -> node.recorder.count("misfired") == 1);
        assertThat(runs()).hasSize(1);
        assertThat(vetoes()).hasSize(1);
    }

    @Test
    void calendarThatExcludesLeavesTheOtherSlots() throws Exception {
        startNodes(QuartzNode.setup(), QuartzNode.setup());
        for (QuartzNode node : nodes) {
            node.scheduler.addCalendar("every other slot", new CronCalendar("0/4 * * * * ?"), false, false);
            node.schedule(
                    QuartzNode.job("odd"),
                    within(cron(EVERY_SLOT), 6)
                            .getTriggerBuilder()
                            .modifiedByCalendar("every other slot")
                            .build());
        }

        awaitFires(3, 3);

        assertThat(runs())
                .hasSize(3)
                .allMatch(slot -> slot.getEpochSecond() % 4 == 2)
                .isEqualTo(vetoes());
    }

    @Test
    void twoTriggersAtOneInstantAreTwoSlots() throws Exception {
        // One worker, so that the second trigger of a node asks when the first has ended.
        startNodes(QuartzNode.setup().threads(1), QuartzNode.setup().threads(1));
        for (QuartzNode node : nodes) {
            node.schedule(
                    QuartzNode.job("twice"),
                    trigger("a", cron(EVERY_SLOT), first, end(4)),
                    trigger("b", cron(EVERY_SLOT), first, end(4)));
        }

        awaitFires(8, 8);

        assertThat(runs()).isEqualTo(slots(0, 0, 1, 1, 2, 2, 3, 3));
        assertThat(vetoes()).isEqualTo(runs());
    }

    @ParameterizedTest
    @CsvSource({"0/4 * * * * ?, 3, 0/2 * * * * ?, 6", "0/2 * * * * ?, 6, 0/4 * * * * ?, 3"})
    void cronThatIsChangedOnOneNodeRunsOncePerInstant(String one, int ones, String other, int others) throws Exception {
        startNodes(QuartzNode.setup(), QuartzNode.setup());
        nodes.get(0).schedule(QuartzNode.job("changed"), within(cron(one), 6));
        nodes.get(1).schedule(QuartzNode.job("changed"), within(cron(other), 6));

        awaitFires(ones, others);

        assertThat(runs()).isEqualTo(slots(0, 1, 2, 3, 4, 5));
        assertThat(vetoes()).hasSize(3);
    }

    @Test
    void zonesThatDifferRunOncePerInstant() throws Exception {
        startNodes(QuartzNode.setup(), QuartzNode.setup());
        for (int n = 0; n < 2; n++) {
            TimeZone zone = TimeZone.getTimeZone(n == 0 ? "UTC" : "Europe/Berlin");
            nodes.get(n)
                    .schedule(QuartzNode.job("zoned"), within(cron(EVERY_SLOT).inTimeZone(zone), 6));
        }

        awaitFires(6, 6);

        assertThat(runs()).isEqualTo(slots(0, 1, 2, 3, 4, 5));
        assertThat(vetoes()).isEqualTo(runs());
        assertThat(nodes.stream().flatMap(node -> node.outcomes.denied.stream()))
                .anyMatch(denied -> denied.isOtherDefinition());
    }

    @Test
    void restartInsideTheCronSecondDoesNotRunTheSlotAgain() throws Exception {
        startNodes(QuartzNode.setup(), QuartzNode.setup());
        QuartzNode before = nodes.get(0);
        QuartzNode after = nodes.get(1);
        LocalTime time = first.atZone(ZoneId.systemDefault()).toLocalTime();
        String once = time.getSecond() + " " + time.getMinute() + " " + time.getHour() + " * * ?";
        before.schedule(QuartzNode.job("restarted"), trigger("t", cron(once), first, null));
        await().pollInterval(Duration.ofMillis(2))
                .atMost(QuartzNode.PATIENCE)
                .until(() -> before.recorder.count("executed") == 1);

        // What TriggerBuilder says when a context starts within the second of the slot.
        after.schedule(QuartzNode.job("restarted"), trigger("t", cron(once), first.plusMillis(999), null));
        await().atMost(QuartzNode.PATIENCE).until(() -> after.recorder.count("vetoed") == 1);

        assertThat(after.recorder.slots("fired")).isEqualTo(slots(0));
        assertThat(runs()).isEqualTo(slots(0));
        assertThat(after.outcomes.denied(DenialReason.TAKEN)).isEqualTo(1);
    }

    @Test
    void slotOfALateNodeIsTakenLongAfterTheShortRunHasEnded() throws Exception {
        prepare(QuartzNode.setup(), QuartzNode.setup());
        QuartzNode early = nodes.get(0);
        QuartzNode late = nodes.get(1);
        for (QuartzNode node : nodes) {
            node.schedule(QuartzNode.job("short"), within(cron(EVERY_SLOT), 1));
        }
        early.start();
        await().atMost(QuartzNode.PATIENCE).until(() -> early.outcomes.ended.size() == 1);
        awaitTime(first.plusSeconds(4));
        late.start();
        await().atMost(QuartzNode.PATIENCE).until(() -> late.recorder.count("fired") == 1 && isQuiet(late));

        assertThat(runs()).isEqualTo(slots(0));
        assertThat(late.recorder.slots("vetoed")).isEqualTo(slots(0));
    }

    @Test
    void tokensRiseFromSlotToSlotWhicheverNodeRuns() throws Exception {
        startNodes(QuartzNode.setup(), QuartzNode.setup());
        for (QuartzNode node : nodes) {
            node.schedule(QuartzNode.job("tokens"), within(cron(EVERY_SLOT), 4));
        }
        awaitFires(4, 4);

        List<JobLock> locks = nodes.stream()
                .flatMap(node -> node.outcomes.granted.stream())
                .sorted((a, b) -> a.since().compareTo(b.since()))
                .toList();
        assertThat(locks)
                .extracting(JobLock::fencingToken)
                .isSorted()
                .doesNotHaveDuplicates()
                .hasSize(4);
    }

    private static QuartzNode.Setup misfiring() {
        return QuartzNode.setup().misfireThreshold(Duration.ofMillis(50));
    }

    private void startNodes(QuartzNode.Setup... setups) throws SchedulerException {
        prepare(setups);
        startAll();
        first = soon();
    }

    private void prepare(QuartzNode.Setup... setups) {
        for (QuartzNode.Setup setup : setups) {
            nodes.add(new QuartzNode(redis.server(), prefix, setup));
        }
        first = soon();
    }

    private static Instant soon() {
        return nextMultiple(Instant.now().plusSeconds(1), 4);
    }

    private void startAll() throws SchedulerException {
        for (QuartzNode node : nodes) {
            node.start();
        }
    }

    private static CronScheduleBuilder cron(String expression) {
        return CronScheduleBuilder.cronSchedule(expression);
    }

    /** A trigger that fires so many slots from the first on. */
    private Trigger within(ScheduleBuilder<?> schedule, int slots) {
        return trigger("t", schedule, first, end(slots));
    }

    private Date end(int slots) {
        return Date.from(first.plusSeconds(PERIOD * slots).minusMillis(1));
    }

    private static Trigger trigger(String name, ScheduleBuilder<?> schedule, Instant start, @Nullable Date end) {
        return TriggerBuilder.newTrigger()
                .withIdentity(name)
                .withSchedule(schedule)
                .startAt(Date.from(start))
                .endAt(end)
                .build();
    }

    private void awaitFires(int... fires) {
        await().atMost(QuartzNode.PATIENCE.plusSeconds(10)).until(() -> {
            for (int i = 0; i < fires.length; i++) {
                if (nodes.get(i).recorder.count("fired") < fires[i] || !isQuiet(nodes.get(i))) {
                    return false;
                }
            }
            return true;
        });
        assertThat(nodes.stream().map(node -> (int) node.recorder.count("fired")))
                .containsExactlyElementsOf(Arrays.stream(fires).boxed().toList());
    }

    /** Whether each fire has become a veto or an end. */
    private static boolean isQuiet(QuartzNode node) {
        return node.recorder.count("fired") == node.recorder.count("vetoed") + node.recorder.count("complete");
    }

    private List<Instant> runs() {
        return all("executed");
    }

    private List<Instant> vetoes() {
        return all("vetoed");
    }

    private List<Instant> all(String callback) {
        return nodes.stream()
                .flatMap(node -> node.recorder.slots(callback).stream())
                .sorted()
                .toList();
    }

    private List<Instant> slots(long... numbers) {
        return LongStream.of(numbers)
                .mapToObj(number -> first.plusSeconds(PERIOD * number))
                .toList();
    }

    private static Instant nextMultiple(Instant from, long seconds) {
        return Instant.ofEpochSecond((from.getEpochSecond() / seconds + 1) * seconds);
    }

    private static void awaitTime(Instant time) {
        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofMinutes(1))
                .until(() -> !Instant.now().isBefore(time));
    }
}
