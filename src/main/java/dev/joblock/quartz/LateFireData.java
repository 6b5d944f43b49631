package dev.joblock.quartz;

import dev.joblock.JobRun;
import dev.joblock.Slot;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDataMap;
import org.quartz.Trigger;
import org.quartz.TriggerKey;

/**
 * Which fire a late one stands for, as texts in the {@link JobDataMap} of its trigger, which job stores may keep as
 * properties. Immutable.
 */
final class LateFireData {

    private final String origin;
    private final Instant scheduled;
    private final TriggerKey trigger;
    private final String lane;

    private LateFireData(String origin, Instant scheduled, TriggerKey trigger, String lane) {
        this.origin = origin;
        this.scheduled = scheduled;
        this.trigger = trigger;
        this.lane = lane;
    }

    /** Of a run that is granted late. A fire that was late itself, or recovered, stands for that which it came from. */
    static LateFireData of(JobRun run, Trigger original, Date scheduled) {
        LateFireData earlier = find(original.getJobDataMap());
        return new LateFireData(
                run.origin().toString(),
                run.slot().map(Slot::scheduled).orElse(scheduled.toInstant()),
                earlier == null ? original.getKey() : earlier.trigger,
                run.lane());
    }

    static @Nullable LateFireData find(JobDataMap data) {
        String scheduled = text(data, JobLockQuartzListener.SCHEDULED_FIRE_TIME);
        String name = text(data, JobLockQuartzListener.TRIGGER_NAME);
        String group = text(data, JobLockQuartzListener.TRIGGER_GROUP);
        String lane = text(data, JobLockQuartzListener.LANE);
        if (scheduled == null || name == null || group == null || lane == null) {
            return null;
        }
        return new LateFireData(
                Optional.ofNullable(text(data, JobLockQuartzListener.ORIGIN)).orElse(""),
                Instant.ofEpochMilli(Long.parseLong(scheduled)),
                TriggerKey.triggerKey(name, group),
                lane);
    }

    void writeTo(JobDataMap data) {
        data.put(JobLockQuartzListener.ORIGIN, origin);
        data.put(JobLockQuartzListener.SCHEDULED_FIRE_TIME, Long.toString(scheduled.toEpochMilli()));
        data.put(JobLockQuartzListener.TRIGGER_NAME, trigger.getName());
        data.put(JobLockQuartzListener.TRIGGER_GROUP, trigger.getGroup());
        data.put(JobLockQuartzListener.LANE, lane);
    }

    String lane() {
        return lane;
    }

    Instant scheduled() {
        return scheduled;
    }

    private static @Nullable String text(JobDataMap data, String key) {
        Object value = data.get(key);
        return value instanceof String ? (String) value : null;
    }
}
