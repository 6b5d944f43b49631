package dev.joblock.scheduling;

import dev.joblock.Durations;
import dev.joblock.JobRun;
import dev.joblock.Slot;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.Trigger;

/** When a task is due, and by which rule its runs are granted. Thread-safe. */
final class TaskSchedule {

    /** The kinds, each with the word that stands in lanes. */
    private enum Kind {
        CRON("cron"),
        RATE("rate"),
        DELAY("delay"),
        TRIGGER("trigger");

        final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    /** The longest that a run may have. Who writes a longer one means a task that runs once after the start. */
    private static final Duration LONGEST = Duration.ofDays(3_660);

    private final Kind kind;
    private final @Nullable SlotTrigger trigger;
    private final Duration interval;
    private final String text;

    private TaskSchedule(Kind kind, @Nullable SlotTrigger trigger, Duration interval, String text) {
        this.kind = kind;
        this.trigger = trigger;
        this.interval = interval;
        this.text = text;
    }

    static TaskSchedule cron(SlotTrigger trigger) {
        return new TaskSchedule(Kind.CRON, trigger, Duration.ZERO, trigger.schedule());
    }

    static TaskSchedule rate(Duration interval) {
        return new TaskSchedule(Kind.RATE, null, interval, "fixed rate " + Durations.format(interval));
    }

    static TaskSchedule delay(Duration interval) {
        return new TaskSchedule(Kind.DELAY, null, interval, "fixed delay " + Durations.format(interval));
    }

    static TaskSchedule other(Trigger trigger) {
        return new TaskSchedule(Kind.TRIGGER, null, Duration.ZERO, "trigger of class " + className(trigger));
    }

    /** As it is equal on all nodes: what Java adds to the name of a lambda's class is not. */
    private static String className(Trigger trigger) {
        String name = trigger.getClass().getName();
        int generated = name.indexOf("$$");
        return generated < 0 ? name : name.substring(0, generated);
    }

    String word() {
        return kind.word;
    }

    /** Whether nodes share neither fire times nor an interval, as with a trigger that we don't know. */
    boolean isUnknown() {
        return kind == Kind.TRIGGER;
    }

    /** The slot of the run that begins now; null where the schedule has none. */
    @Nullable
    Slot take() {
        return trigger == null ? null : trigger.take();
    }

    JobRun run(String job, String lane, @Nullable Slot slot, Optional<Duration> minInterval) {
        if (kind == Kind.CRON) {
            if (slot == null) {
                throw new IllegalStateException("The trigger of '" + job + "' has given no time for this run");
            }
            return JobRun.slot(job, lane, slot);
        }
        Duration least = least(minInterval);
        if (least.isZero()) {
            return JobRun.exclusive(job).from(JobRun.Origin.SCHEDULED);
        }
        JobRun run = JobRun.interval(job, lane, least);
        return kind == Kind.DELAY ? run.countedFromEnd() : run;
    }

    /** The rule for people. */
    String rule(Optional<Duration> minInterval) {
        if (kind == Kind.CRON) {
            return "slot";
        }
        return least(minInterval).isZero() ? "exclusive" : "interval";
    }

    private Duration least(Optional<Duration> minInterval) {
        Duration least = minInterval.orElse(interval);
        return least.compareTo(LONGEST) > 0 ? Duration.ZERO : least;
    }

    /** The next slot with the offset of its zone, or a dash. */
    String next() {
        Slot slot = trigger == null ? null : trigger.pending();
        if (trigger == null || slot == null) {
            return "-";
        }
        Instant at = slot.scheduled();
        return OffsetDateTime.ofInstant(at, trigger.zone()).toString();
    }

    /** The schedule for people and for comparison, without its zone. */
    String withoutZone() {
        return trigger == null ? text : trigger.withoutZone();
    }

    /** The id of the zone in which the schedule is meant; empty where it plays no part. */
    String zone() {
        return trigger == null ? "" : trigger.zone().getId();
    }

    /** When the next run is due by the trigger; null if it is not told. */
    @Nullable
    Instant nextFire() {
        return trigger == null ? null : trigger.next();
    }

    /** For when the last run was due; null if it is not told. */
    @Nullable
    Instant previousFire() {
        return trigger == null ? null : trigger.previous();
    }

    @Override
    public String toString() {
        return text;
    }
}
