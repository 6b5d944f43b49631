package dev.joblock.quartz;

import java.time.Instant;
import java.util.Date;
import org.jspecify.annotations.Nullable;
import org.quartz.Calendar;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.impl.JobExecutionContextImpl;
import org.quartz.spi.OperableTrigger;
import org.quartz.spi.TriggerFiredBundle;

/** Fires as a job store hands them out, without a scheduler. */
final class Contexts {
    private Contexts() {}

    static JobExecutionContext fire(
            @Nullable Scheduler scheduler,
            JobDetail job,
            OperableTrigger trigger,
            @Nullable Calendar calendar,
            boolean recovering,
            Instant scheduled,
            @Nullable Instant previous,
            @Nullable Instant next) {
        return new JobExecutionContextImpl(
                scheduler,
                new TriggerFiredBundle(
                        job,
                        trigger,
                        calendar,
                        recovering,
                        new Date(),
                        Date.from(scheduled),
                        previous == null ? null : Date.from(previous),
                        next == null ? null : Date.from(next)),
                new ShortJob());
    }

    /** The next fire of a trigger, advanced as a job store does it. */
    static JobExecutionContext nextFire(JobDetail job, OperableTrigger trigger, @Nullable Calendar calendar) {
        Instant previous = trigger.getPreviousFireTime() == null
                ? null
                : trigger.getPreviousFireTime().toInstant();
        trigger.triggered(calendar);
        return fire(
                null,
                job,
                trigger,
                calendar,
                false,
                trigger.getPreviousFireTime().toInstant(),
                previous,
                trigger.getNextFireTime() == null
                        ? null
                        : trigger.getNextFireTime().toInstant());
    }
}
