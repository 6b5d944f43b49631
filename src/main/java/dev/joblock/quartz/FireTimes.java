package dev.joblock.quartz;

import java.time.Instant;
import java.util.Date;
import org.jspecify.annotations.Nullable;
import org.quartz.Calendar;
import org.quartz.DailyTimeIntervalTrigger;
import org.quartz.JobExecutionContext;
import org.quartz.impl.triggers.DailyTimeIntervalTriggerImpl;

/**
 * Tells when a trigger fires after this fire, equally on all nodes.
 *
 * <p>Stateless and thread-safe.
 */
final class FireTimes {

    private FireTimes() {}

    /** The fire time after this one by schedule, calendar and end time, or null if there is none. */
    static @Nullable Instant next(JobExecutionContext context) {
        if (isCounted(context)) {
            return afterLastRepeat(context);
        }
        Date next = context.getNextFireTime();
        return next == null ? null : next.toInstant();
    }

    private static boolean isCounted(JobExecutionContext context) {
        return context.getTrigger() instanceof DailyTimeIntervalTriggerImpl
                && ((DailyTimeIntervalTrigger) context.getTrigger()).getRepeatCount()
                        != DailyTimeIntervalTrigger.REPEAT_INDEFINITELY;
    }

    /**
     * A repeat count is each node's own, and begins anew at each start: that it is used up ends the runs of this node, not
     * the lane. The schedule alone goes on.
     */
    private static @Nullable Instant afterLastRepeat(JobExecutionContext context) {
        DailyTimeIntervalTriggerImpl trigger = (DailyTimeIntervalTriggerImpl) context.getTrigger();
        DailyTimeIntervalTriggerImpl endless = new DailyTimeIntervalTriggerImpl();
        endless.setStartTime(trigger.getStartTime());
        endless.setStartTimeOfDay(trigger.getStartTimeOfDay());
        if (trigger.getEndTimeOfDay() != null) {
            endless.setEndTimeOfDay(trigger.getEndTimeOfDay());
        }
        endless.setDaysOfWeek(trigger.getDaysOfWeek());
        endless.setRepeatInterval(trigger.getRepeatInterval());
        endless.setRepeatIntervalUnit(trigger.getRepeatIntervalUnit());
        Calendar calendar = context.getCalendar();
        Date end = trigger.getEndTime();
        Date next = context.getScheduledFireTime();
        int tries = 0;
        do {
            next = endless.getFireTimeAfter(next);
        } while (next != null && calendar != null && !calendar.isTimeIncluded(next.getTime()) && ++tries < 100_000);
        return next == null || (end != null && next.after(end)) ? null : next.toInstant();
    }
}
