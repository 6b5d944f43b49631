package dev.joblock.quartz;

import java.time.Duration;
import java.util.Date;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quartz.CalendarIntervalTrigger;
import org.quartz.JobExecutionContext;
import org.quartz.SimpleTrigger;
import org.quartz.Trigger;

/**
 * Tells the interval of triggers whose phase is each node's own.
 *
 * <p>Stateless and thread-safe.
 */
final class Intervals {

    /** The longest duration that a run may have. */
    private static final Duration LONGEST = Duration.ofDays(3660);

    private Intervals() {}

    /** The trigger's own interval as of this fire, or empty for a one-shot trigger. */
    static Optional<Duration> of(Trigger trigger, JobExecutionContext context) {
        if (trigger instanceof SimpleTrigger) {
            SimpleTrigger simple = (SimpleTrigger) trigger;
            return simple.getRepeatCount() == 0 || simple.getRepeatInterval() <= 0
                    ? Optional.empty()
                    : Optional.of(atMost(LONGEST, Duration.ofMillis(simple.getRepeatInterval())));
        }
        return Optional.of(atMost(LONGEST, ofCalendar((CalendarIntervalTrigger) trigger, context)));
    }

    /**
     * Days and months differ in length: the day on which summer time begins has 23 hours, and an interval of 24 would turn
     * the next fire away. So the distance to the fire before is taken, or to the one after, where that can be the unit.
     */
    private static Duration ofCalendar(CalendarIntervalTrigger trigger, JobExecutionContext context) {
        int n = trigger.getRepeatInterval();
        switch (trigger.getRepeatIntervalUnit()) {
            case MILLISECOND:
                return Duration.ofMillis(n);
            case SECOND:
                return Duration.ofSeconds(n);
            case MINUTE:
                return Duration.ofMinutes(n);
            case HOUR:
                return Duration.ofHours(n);
            case DAY:
                return ofDays(n, n, context);
            case WEEK:
                return ofDays(7L * n, 7L * n, context);
            case MONTH:
                return ofDays(28L * n, 31L * n, context);
            default:
                return ofDays(365L * n, 366L * n, context);
        }
    }

    /** Clocks are put forward or back by an hour, or two in the odd zone. */
    private static Duration ofDays(long least, long most, JobExecutionContext context) {
        Duration actual = between(context.getPreviousFireTime(), context.getScheduledFireTime());
        if (actual == null) {
            actual = between(context.getScheduledFireTime(), context.getNextFireTime());
        }
        if (actual == null
                || actual.compareTo(Duration.ofDays(least).minusHours(2)) < 0
                || actual.compareTo(Duration.ofDays(most).plusHours(2)) > 0) {
            return Duration.ofDays(most);
        }
        return actual;
    }

    private static @Nullable Duration between(@Nullable Date from, @Nullable Date to) {
        return from == null || to == null ? null : Duration.ofMillis(to.getTime() - from.getTime());
    }

    private static Duration atMost(Duration most, Duration duration) {
        return duration.compareTo(most) > 0 ? most : duration;
    }
}
