package dev.joblock.quartz;

import dev.joblock.JobLockPolicies;
import dev.joblock.JobRun;
import dev.joblock.Slot;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import org.quartz.CalendarIntervalTrigger;
import org.quartz.CronTrigger;
import org.quartz.DailyTimeIntervalTrigger;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleTrigger;
import org.quartz.Trigger;
import org.quartz.TriggerKey;

/**
 * Turns a fire of Quartz into the run that asks for its lock: by which rule, in which lane, which slot.
 *
 * <p>Stateless and thread-safe.
 */
final class Runs {

    /** The one-shot trigger that {@code Scheduler.triggerJob} makes: a random number in base 30 to 36. */
    private static final Pattern MANUAL = Pattern.compile("MT_[0-9a-z]+");

    private final JobLockPolicies policies;

    Runs(JobLockPolicies policies) {
        this.policies = policies;
    }

    JobRun of(JobExecutionContext context) throws SchedulerException {
        QuartzJob job = QuartzJob.of(context.getJobDetail());
        return run(job, context).withLockName(job.lockName());
    }

    private JobRun run(QuartzJob job, JobExecutionContext context) throws SchedulerException {
        if (context.isRecovering()) {
            return recovery(job, context);
        }
        Trigger trigger = context.getTrigger();
        if (isTimed(trigger)) {
            return JobRun.slot(job.name(), job.lane(trigger), slot(context));
        }
        if (isManual(trigger)) {
            String by = ManualStart.by(context);
            JobRun run = JobRun.exclusive(job.name());
            return by.isEmpty() ? run : run.askedBy(by);
        }
        Optional<Duration> interval = interval(job, trigger, context);
        return interval.isPresent()
                ? JobRun.interval(job.name(), job.lane(trigger), interval.get())
                : JobRun.exclusive(job.name()).from(JobRun.Origin.SCHEDULED);
    }

    /** Whether nodes share the fire times of a trigger. Said of a class that we don't know too: it does no harm. */
    static boolean isTimed(Trigger trigger) {
        return !(trigger instanceof SimpleTrigger) && !(trigger instanceof CalendarIntervalTrigger);
    }

    /** Whether we know how to read the schedule of a trigger. */
    static boolean isKnown(Trigger trigger) {
        return trigger instanceof CronTrigger || trigger instanceof DailyTimeIntervalTrigger || !isTimed(trigger);
    }

    /** Whether a trigger is of the kind that {@code Scheduler.triggerJob} makes. */
    static boolean isManual(Trigger trigger) {
        TriggerKey key = trigger.getKey();
        return trigger instanceof SimpleTrigger
                && ((SimpleTrigger) trigger).getRepeatCount() == 0
                && key.getGroup().equals(Scheduler.DEFAULT_GROUP)
                && MANUAL.matcher(key.getName()).matches();
    }

    /** Whether runs of a trigger are told apart by its lane. */
    boolean usesLane(QuartzJob job, Trigger trigger) {
        if (isTimed(trigger)) {
            return true;
        }
        boolean oneShot = trigger instanceof SimpleTrigger && ((SimpleTrigger) trigger).getRepeatCount() == 0;
        return !oneShot
                || (!isManual(trigger)
                        && policies.policyFor(job.name()).minInterval().isPresent());
    }

    private Optional<Duration> interval(QuartzJob job, Trigger trigger, JobExecutionContext context) {
        Optional<Duration> configured = policies.policyFor(job.name()).minInterval();
        return configured.isPresent() ? configured : Intervals.of(trigger, context);
    }

    private static Slot slot(JobExecutionContext context) {
        Trigger trigger = context.getTrigger();
        Instant scheduled = context.getScheduledFireTime().toInstant();
        Instant next = FireTimes.next(context);
        String definition = Definition.of(trigger).hash();
        if (next != null && next.isAfter(scheduled)) {
            return Slot.of(scheduled, next, definition);
        }
        if (!isKnown(trigger)) {
            // Nobody knows whether nothing ever follows; so only this very instant is taken.
            return Slot.of(scheduled, scheduled.plusMillis(1), definition);
        }
        return Slot.last(
                scheduled,
                trigger.getEndTime() == null ? null : trigger.getEndTime().toInstant(),
                definition);
    }

    /** Quartz runs again what a crash cut short, on a trigger of its own that carries the original one in its data. */
    private static JobRun recovery(QuartzJob job, JobExecutionContext context) throws SchedulerException {
        LateFireData late = LateFireData.find(context.getMergedJobDataMap());
        if (late != null) {
            return JobRun.owed(job.name(), late.lane(), late.scheduled());
        }
        TriggerKey key = context.getRecoveringTriggerKey();
        String text = context.getMergedJobDataMap()
                .getString(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_SCHEDULED_FIRETIME_IN_MILLISECONDS);
        Instant scheduled = text == null
                ? context.getScheduledFireTime().toInstant()
                : Instant.ofEpochMilli(Long.parseLong(text.trim()));
        Trigger original = GeneratedNames.isGenerated(key.getName())
                ? context.getScheduler().getTrigger(key)
                : null;
        String lane = original == null ? job.namedLane(key.getGroup(), key.getName()) : job.lane(original);
        return JobRun.owed(job.name(), lane, scheduled);
    }
}
