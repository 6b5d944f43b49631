package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.JobRun.Rule;
import dev.joblock.Slot;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.quartz.CalendarIntervalScheduleBuilder;
import org.quartz.CronScheduleBuilder;
import org.quartz.DailyTimeIntervalScheduleBuilder;
import org.quartz.DateBuilder.IntervalUnit;
import org.quartz.JobBuilder;
import org.quartz.JobDataMap;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.ScheduleBuilder;
import org.quartz.Scheduler;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TimeOfDay;
import org.quartz.TriggerBuilder;
import org.quartz.impl.calendar.CronCalendar;
import org.quartz.impl.triggers.SimpleTriggerImpl;
import org.quartz.spi.OperableTrigger;

class RunsTest {
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
    private static final TimeZone BERLIN = TimeZone.getTimeZone("Europe/Berlin");
    private static final JobDetail JOB = QuartzNode.job("invoice");

    private final Runs runs = new Runs(policies());

    @Test
    void cronIsASlotWithTheNextFireAndTheScheduleAsDefinition() throws Exception {
        JobRun run = runs.of(fire(cron("0 0 3 * * ?"), null));

        assertThat(run.rule()).isEqualTo(Rule.SLOT);
        assertThat(run.lane()).isEqualTo("invoice/daily");
        assertThat(run.lockName()).isEqualTo("invoice");
        Slot slot = run.slot().orElseThrow();
        assertThat(slot.scheduled()).isEqualTo(Instant.parse("2026-03-01T02:00:00Z"));
        assertThat(slot.next()).hasValue(Instant.parse("2026-03-02T02:00:00Z"));
        assertThat(slot.definition()).matches("[0-9a-f]{16}");
    }

    @Test
    void hourThatSummerTimeRepeatsIsTwoSlots() throws Exception {
        OperableTrigger trigger = cron("0 30 * * * ?");
        Instant summer = Instant.parse("2026-10-25T00:30:00Z");
        Instant winter = Instant.parse("2026-10-25T01:30:00Z");

        Slot first = runs.of(Contexts.fire(null, JOB, trigger, null, false, summer, null, winter))
                .slot()
                .orElseThrow();
        Slot second = runs.of(Contexts.fire(null, JOB, trigger, null, false, winter, summer, winter.plusSeconds(3_600)))
                .slot()
                .orElseThrow();

        assertThat(local(first)).isEqualTo("2026-10-25T02:30+02:00[Europe/Berlin]");
        assertThat(local(second)).isEqualTo("2026-10-25T02:30+01:00[Europe/Berlin]");
        assertThat(first).isNotEqualTo(second);
        assertThat(first.next()).hasValue(second.scheduled());
    }

    @Test
    void dayWithoutTheHourOfADailyCronHasNoSlot() throws Exception {
        OperableTrigger trigger = trigger(
                CronScheduleBuilder.cronSchedule("0 30 2 * * ?").inTimeZone(BERLIN),
                Instant.parse("2026-03-28T00:00:00Z"),
                null);

        Slot before = runs.of(fire(trigger, null)).slot().orElseThrow();

        assertThat(local(before)).isEqualTo("2026-03-28T02:30+01:00[Europe/Berlin]");
        assertThat(before.next().orElseThrow().atZone(BERLIN.toZoneId()).toLocalDate())
                .isAfterOrEqualTo("2026-03-29");
    }

    @Test
    void lastFireHasItsEndTimeAfterIt() throws Exception {
        Instant end = Instant.parse("2026-03-01T12:00:00Z");

        Slot slot = runs.of(fire(trigger(cronIn(BERLIN, "0 0 3 * * ?"), START, end), null))
                .slot()
                .orElseThrow();

        assertThat(slot.next()).hasValue(end.plusMillis(1));
    }

    @Test
    void misfiredLastFireIsNotScheduledAfterTheEndTime() throws Exception {
        Instant end = Instant.parse("2026-03-01T12:00:00Z");
        OperableTrigger trigger = trigger(cronIn(BERLIN, "0 0 3 * * ?"), START, end);

        Slot slot = runs.of(Contexts.fire(null, JOB, trigger, null, false, end.plusSeconds(90), null, null))
                .slot()
                .orElseThrow();

        assertThat(slot.scheduled()).isEqualTo(end);
        assertThat(slot.next()).hasValue(end.plusMillis(1));
    }

    @Test
    void cronThatNeverFiresAgainEndsItsLane() throws Exception {
        Slot slot = runs.of(fire(trigger(cronIn(BERLIN, "0 0 3 1 3 ? 2026"), START, null), null))
                .slot()
                .orElseThrow();

        assertThat(slot.next()).isEmpty();
    }

    @Test
    void usedUpRepeatCountLeavesTheNextTimeOfTheSchedule() throws Exception {
        DailyTimeIntervalScheduleBuilder counted = hourly().withRepeatCount(0);
        OperableTrigger trigger = trigger(counted, START, null);
        JobExecutionContext last = fire(trigger, null);

        Slot slot = runs.of(last).slot().orElseThrow();

        assertThat(trigger.getNextFireTime()).isNull();
        assertThat(slot.next()).hasValue(slot.scheduled().plusSeconds(3_600));
    }

    @Test
    void usedUpRepeatCountMindsCalendarAndEndTime() throws Exception {
        CronCalendar noEvenHours = new CronCalendar("* * 0/2 * * ?");
        noEvenHours.setTimeZone(TimeZone.getDefault());
        OperableTrigger byCalendar = trigger(hourly().withRepeatCount(0), START, null);
        OperableTrigger byEnd = trigger(hourly().withRepeatCount(0), START, START.plusSeconds(1_800));

        Slot slot = runs.of(fire(byCalendar, noEvenHours)).slot().orElseThrow();

        assertThat(slot.next()).hasValue(slot.scheduled().plusSeconds(7_200));
        assertThat(runs.of(fire(byEnd, null)).slot().orElseThrow().next())
                .hasValue(START.plusSeconds(1_800).plusMillis(1));
    }

    @Test
    void simpleTriggerIsAnIntervalOfItsOwnLength() throws Exception {
        OperableTrigger trigger = trigger(SimpleScheduleBuilder.repeatSecondlyForever(6), START, null);

        JobRun run = runs.of(fire(trigger, null));

        assertThat(run.rule()).isEqualTo(Rule.INTERVAL);
        assertThat(run.interval()).isEqualTo(Duration.ofSeconds(6));
        assertThat(run.lane()).isEqualTo("invoice/daily");
    }

    @Test
    void minimumIntervalOfThePolicyGoesBeforeTheTriggersOwn() throws Exception {
        Runs configured = new Runs(policies("invoice", "5m"));

        JobRun repeating =
                configured.of(fire(trigger(SimpleScheduleBuilder.repeatSecondlyForever(6), START, null), null));
        JobRun once = configured.of(fire(trigger(SimpleScheduleBuilder.simpleSchedule(), START, null), null));
        JobRun cron = configured.of(fire(cron("0 0 3 * * ?"), null));

        assertThat(repeating.interval()).isEqualTo(Duration.ofMinutes(5));
        assertThat(once.interval()).isEqualTo(Duration.ofMinutes(5));
        assertThat(cron.rule()).isEqualTo(Rule.SLOT);
    }

    @Test
    void oneShotTriggerIsExclusive() throws Exception {
        JobRun run = runs.of(fire(trigger(SimpleScheduleBuilder.simpleSchedule(), START, null), null));

        assertThat(run.rule()).isEqualTo(Rule.EXCLUSIVE);
    }

    @Test
    void manualRunIsExclusiveWhateverThePolicySays() throws Exception {
        Runs configured = new Runs(policies("invoice", "5m"));
        SimpleTriggerImpl manual = new SimpleTriggerImpl();
        manual.setName("MT_3f8s7q2k1m0");
        manual.setGroup(Scheduler.DEFAULT_GROUP);
        manual.setStartTime(Date.from(START));
        manual.computeFirstFireTime(null);

        JobRun run = configured.of(fire(manual, null));

        assertThat(run.rule()).isEqualTo(Rule.EXCLUSIVE);
        assertThat(run.lane()).isEmpty();
    }

    @Test
    void repeatIntervalBeyondTenYearsIsCut() throws Exception {
        OperableTrigger trigger = trigger(
                SimpleScheduleBuilder.simpleSchedule()
                        .withIntervalInMilliseconds(Duration.ofDays(40_000).toMillis())
                        .repeatForever(),
                START,
                null);

        assertThat(runs.of(fire(trigger, null)).interval()).isEqualTo(Duration.ofDays(3_660));
    }

    @Test
    void calendarIntervalIsAsLongAsTheTimeSinceTheFireBefore() throws Exception {
        OperableTrigger daily = trigger(
                CalendarIntervalScheduleBuilder.calendarIntervalSchedule()
                        .withIntervalInDays(1)
                        .inTimeZone(BERLIN)
                        .preserveHourOfDayAcrossDaylightSavings(true),
                Instant.parse("2026-03-28T11:00:00Z"),
                null);

        JobRun first = runs.of(fire(daily, null));
        JobRun dayOf23Hours = runs.of(Contexts.nextFire(JOB, daily, null));
        JobRun usualDay = runs.of(Contexts.nextFire(JOB, daily, null));

        assertThat(first.rule()).isEqualTo(Rule.INTERVAL);
        assertThat(dayOf23Hours.interval()).isEqualTo(Duration.ofHours(23));
        assertThat(usualDay.interval()).isEqualTo(Duration.ofHours(24));
    }

    @Test
    void calendarIntervalAfterAMisfireIsItsUnit() throws Exception {
        OperableTrigger monthly = trigger(
                CalendarIntervalScheduleBuilder.calendarIntervalSchedule().withInterval(1, IntervalUnit.MONTH),
                START,
                null);

        JobRun late = runs.of(Contexts.fire(
                null,
                JOB,
                monthly,
                null,
                false,
                START.plus(Duration.ofDays(100)),
                START,
                START.plus(Duration.ofDays(122))));

        assertThat(late.interval()).isEqualTo(Duration.ofDays(31));
    }

    @Test
    void recoveryAsksForTheOwedSlotOfTheOriginalLane() throws Exception {
        JobRun original = runs.of(fire(cron("0 0 3 * * ?"), null));
        Instant scheduled = original.slot().orElseThrow().scheduled();

        JobRun recovery = runs.of(recovery("daily", scheduled));

        assertThat(recovery.rule()).isEqualTo(Rule.OWED);
        assertThat(recovery.lane()).isEqualTo(original.lane());
        assertThat(recovery.lockName()).isEqualTo(original.lockName());
        assertThat(recovery.slot().orElseThrow().scheduled()).isEqualTo(scheduled);
    }

    @Test
    void recoveryWithoutOriginalTimeTakesItsOwn() throws Exception {
        JobExecutionContext context = recovery("daily", START);
        context.getMergedJobDataMap().remove(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_SCHEDULED_FIRETIME_IN_MILLISECONDS);

        assertThat(runs.of(context).slot().orElseThrow().scheduled()).isEqualTo(START.plusSeconds(7));
    }

    @Test
    void recoveryOfAGeneratedTriggerFindsItsLaneByTheTrigger() throws Exception {
        String generated = "org.springframework.scheduling.quartz.CronTriggerFactoryBean#0";
        Scheduler scheduler = QuartzNode.scheduler(1, Duration.ofMinutes(1));
        try {
            OperableTrigger trigger = (OperableTrigger) TriggerBuilder.newTrigger()
                    .withIdentity(generated)
                    .forJob(JOB.getKey())
                    .withSchedule(cronIn(BERLIN, "0 0 3 * * ?"))
                    .build();
            scheduler.scheduleJob(JOB, trigger);

            JobRun recovery = runs.of(recovery(scheduler, generated, START));

            assertThat(recovery.lane())
                    .isEqualTo(QuartzJob.of(JOB).lane(trigger))
                    .contains("/#");
        } finally {
            scheduler.shutdown();
        }
    }

    @Test
    void definitionIsEqualForEqualSchedulesAndForNoOthers() {
        assertThat(definition(cronIn(BERLIN, "0 0  3 * * ?"))).isEqualTo(definition(cronIn(BERLIN, "0 0 3 * * ?")));
        assertThat(definition(cronIn(BERLIN, "0 0 3 ? * mon"))).isEqualTo(definition(cronIn(BERLIN, "0 0 3 ? * MON")));
        assertThat(List.of(
                        definition(cronIn(BERLIN, "0 0 3 * * ?")),
                        definition(cronIn(BERLIN, "0 0 4 * * ?")),
                        definition(cronIn(TimeZone.getTimeZone("UTC"), "0 0 3 * * ?")),
                        definition(hourly()),
                        definition(hourly().withIntervalInHours(2)),
                        definition(hourly().startingDailyAt(TimeOfDay.hourAndMinuteOfDay(1, 0))),
                        definition(hourly().endingDailyAt(TimeOfDay.hourAndMinuteOfDay(20, 0))),
                        definition(hourly().onDaysOfTheWeek(Set.of(2, 3)))))
                .doesNotHaveDuplicates();
        assertThat(definition(hourly().onDaysOfTheWeek(new java.util.LinkedHashSet<>(List.of(5, 2, 7)))))
                .isEqualTo(definition(hourly().onDaysOfTheWeek(new java.util.LinkedHashSet<>(List.of(7, 5, 2)))));
    }

    @Test
    void definitionNamesItsCalendar() {
        OperableTrigger plain = cron("0 0 3 * * ?");
        OperableTrigger except = cron("0 0 3 * * ?");
        except.setCalendarName("holidays");

        assertThat(Definition.of(except).hash())
                .isNotEqualTo(Definition.of(plain).hash());
        assertThat(Definition.of(except)).hasToString("cron 0 0 3 * * ? Europe/Berlin without calendar 'holidays'");
    }

    @Test
    void jobDataInAnotherOrderGivesTheSameNames() throws Exception {
        JobDataMap forth = new JobDataMap();
        JobDataMap back = new JobDataMap();
        for (int i = 0; i < 100; i++) {
            forth.put("key" + i, i);
            back.put("key" + (99 - i), 99 - i);
        }
        JobRun one = runs.of(Contexts.nextFire(withData(forth), computed(cron("0 0 3 * * ?")), null));
        JobRun other = runs.of(Contexts.nextFire(withData(back), computed(cron("0 0 3 * * ?")), null));

        assertThat(one.lane()).isEqualTo(other.lane());
        assertThat(one.slot()).isEqualTo(other.slot());
        assertThat(one.lockName()).isEqualTo(other.lockName());
    }

    private static JobDetail withData(JobDataMap data) {
        return JobBuilder.newJob(ShortJob.class)
                .withIdentity("invoice")
                .setJobData(data)
                .build();
    }

    private static JobExecutionContext recovery(String trigger, Instant scheduled) {
        return recovery(null, trigger, scheduled);
    }

    private static JobExecutionContext recovery(@Nullable Scheduler scheduler, String original, Instant scheduled) {
        SimpleTriggerImpl trigger = new SimpleTriggerImpl();
        trigger.setName("recover_node_1");
        trigger.setGroup(Scheduler.DEFAULT_RECOVERY_GROUP);
        trigger.getJobDataMap().put(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_NAME, original);
        trigger.getJobDataMap().put(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_GROUP, Scheduler.DEFAULT_GROUP);
        trigger.getJobDataMap()
                .put(
                        Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_SCHEDULED_FIRETIME_IN_MILLISECONDS,
                        String.valueOf(scheduled.toEpochMilli()));
        return Contexts.fire(scheduler, JOB, trigger, null, true, scheduled.plusSeconds(7), null, null);
    }

    private static String definition(ScheduleBuilder<?> schedule) {
        return Definition.of(trigger(schedule, START, null)).hash();
    }

    private static DailyTimeIntervalScheduleBuilder hourly() {
        return DailyTimeIntervalScheduleBuilder.dailyTimeIntervalSchedule()
                .withIntervalInHours(1)
                .startingDailyAt(TimeOfDay.hourAndMinuteOfDay(0, 0));
    }

    private static OperableTrigger cron(String expression) {
        return trigger(cronIn(BERLIN, expression), START, null);
    }

    private static CronScheduleBuilder cronIn(TimeZone zone, String expression) {
        return CronScheduleBuilder.cronSchedule(expression).inTimeZone(zone);
    }

    private static OperableTrigger trigger(ScheduleBuilder<?> schedule, Instant start, @Nullable Instant end) {
        OperableTrigger trigger = (OperableTrigger) TriggerBuilder.newTrigger()
                .withIdentity("daily")
                .withSchedule(schedule)
                .startAt(Date.from(start))
                .endAt(end == null ? null : Date.from(end))
                .build();
        return trigger;
    }

    private static JobExecutionContext fire(OperableTrigger trigger, org.quartz.@Nullable Calendar calendar) {
        trigger.computeFirstFireTime(calendar);
        return Contexts.nextFire(JOB, trigger, calendar);
    }

    private static OperableTrigger computed(OperableTrigger trigger) {
        trigger.computeFirstFireTime(null);
        return trigger;
    }

    private static JobLockPolicies policies() {
        return new JobLockPolicies(new JobLockPolicy(), List.of());
    }

    private static JobLockPolicies policies(String jobs, String minInterval) {
        JobLockPolicy policy = new JobLockPolicy();
        policy.setJobs(jobs);
        policy.setMinInterval(minInterval);
        return new JobLockPolicies(new JobLockPolicy(), List.of(policy));
    }

    private static String local(Slot slot) {
        return slot.scheduled().atZone(BERLIN.toZoneId()).toString();
    }
}
