package dev.joblock.quartz;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.TimeZone;
import java.util.TreeSet;
import org.quartz.CalendarIntervalTrigger;
import org.quartz.CronTrigger;
import org.quartz.DailyTimeIntervalTrigger;
import org.quartz.SimpleTrigger;
import org.quartz.Trigger;

/**
 * The schedule of a trigger as a text that is equal on all nodes with the same schedule: its fields, zone and the name of
 * its calendar; not its name, its start or how often it has fired.
 *
 * <p>Immutable and thread-safe.
 */
final class Definition {

    private final String text;

    private Definition(String text) {
        this.text = text;
    }

    static Definition of(Trigger trigger) {
        String calendar = trigger.getCalendarName();
        return new Definition(schedule(trigger) + (calendar == null ? "" : " without calendar '" + calendar + "'"));
    }

    private static String schedule(Trigger trigger) {
        if (trigger instanceof CronTrigger) {
            CronTrigger cron = (CronTrigger) trigger;
            return "cron " + String.valueOf(cron.getCronExpression()).trim().replaceAll("\\s+", " ") + " "
                    + cron.getTimeZone().getID();
        }
        if (trigger instanceof DailyTimeIntervalTrigger) {
            DailyTimeIntervalTrigger daily = (DailyTimeIntervalTrigger) trigger;
            // The days come from a hash set; this kind of trigger has no zone of its own.
            return "daily every " + daily.getRepeatInterval() + " " + daily.getRepeatIntervalUnit() + " from "
                    + daily.getStartTimeOfDay() + " to " + daily.getEndTimeOfDay() + " on days "
                    + new TreeSet<>(daily.getDaysOfWeek()) + " "
                    + TimeZone.getDefault().getID();
        }
        if (trigger instanceof SimpleTrigger) {
            SimpleTrigger simple = (SimpleTrigger) trigger;
            return simple.getRepeatCount() == 0
                    ? "once"
                    : "every " + simple.getRepeatInterval() + " ms, repeats " + simple.getRepeatCount();
        }
        if (trigger instanceof CalendarIntervalTrigger) {
            CalendarIntervalTrigger interval = (CalendarIntervalTrigger) trigger;
            return "every " + interval.getRepeatInterval() + " " + interval.getRepeatIntervalUnit() + " "
                    + interval.getTimeZone().getID();
        }
        return "trigger of class " + trigger.getClass().getName();
    }

    /** A short text for lanes and marks. */
    String hash() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            StringBuilder hex = new StringBuilder(16);
            for (int i = 0; i < 8; i++) {
                hex.append(Character.forDigit((digest[i] >> 4) & 15, 16))
                        .append(Character.forDigit(digest[i] & 15, 16));
            }
            return hex.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
