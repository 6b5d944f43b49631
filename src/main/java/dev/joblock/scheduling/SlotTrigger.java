package dev.joblock.scheduling;

import dev.joblock.Slot;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Date;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.TriggerContext;
import org.springframework.scheduling.support.CronTrigger;

/**
 * A cron trigger that remembers the slot it has given for the next run: the very instant that it returned, and the one that
 * follows it. No clock is read, since a run may come some milliseconds early or much later.
 *
 * <p>Belongs to one scheduled task. Thread-safe.
 */
final class SlotTrigger extends CronTrigger {

    private final CronTrigger delegate;
    private final String cron;
    private final String schedule;
    private final String definition;

    private @Nullable Slot pending;
    private boolean pendingTaken;
    private @Nullable Slot handedOver;
    private @Nullable Instant previous;

    SlotTrigger(CronTrigger delegate) {
        super(delegate.getExpression());
        this.delegate = delegate;
        this.cron = "cron " + delegate.getExpression().trim().replaceAll("\\s+", " ");
        this.schedule = cron + " " + zone(delegate).getId();
        this.definition = hash(schedule);
    }

    /** Of Spring 5. */
    @Override
    public @Nullable Date nextExecutionTime(TriggerContext context) {
        Date next = delegate.nextExecutionTime(context);
        Date last = context.lastScheduledExecutionTime();
        remember(next == null ? null : slot(next), last == null ? null : last.toInstant());
        return next;
    }

    /**
     * The same of Spring 6 and newer, which call this method alone; Spring 5, with which this is compiled, does not know it.
     */
    public @Nullable Instant nextExecution(TriggerContext context) {
        Date next = nextExecutionTime(context);
        return next == null ? null : next.toInstant();
    }

    /**
     * The slot of the run that begins now, or null if the trigger has not given one.
     *
     * <p>Most schedulers ask the trigger again when a run has ended. One that hands each run to a thread of its own asks
     * while the run begins: then the slot that was pending before belongs to that run.
     */
    synchronized @Nullable Slot take() {
        Slot slot = handedOver;
        if (slot != null) {
            handedOver = null;
        } else {
            slot = pending;
            pendingTaken = true;
        }
        previous = slot == null ? previous : slot.scheduled();
        return slot;
    }

    private synchronized void remember(@Nullable Slot next, @Nullable Instant last) {
        Slot before = pending;
        if (before != null && !pendingTaken && before.scheduled().equals(last)) {
            handedOver = before;
        }
        pending = next;
        pendingTaken = false;
    }

    private Slot slot(Date scheduled) {
        Instant at = scheduled.toInstant();
        Date next = delegate.nextExecutionTime(new Fired(scheduled));
        if (next == null) {
            return Slot.last(at, null, definition);
        }
        Instant after = next.toInstant();
        return Slot.of(at, after.isAfter(at) ? after : at.plusMillis(1), definition);
    }

    /** The schedule for people. */
    String schedule() {
        return schedule;
    }

    /** The same without the zone. */
    String withoutZone() {
        return cron;
    }

    /** The first fire after an instant; moves nothing. */
    @Nullable
    Instant after(Instant instant) {
        Date next = delegate.nextExecutionTime(new Fired(Date.from(instant)));
        return next == null ? null : next.toInstant();
    }

    /** The slot that the next run will have, if the task is scheduled. */
    synchronized @Nullable Slot pending() {
        return pending;
    }

    /** The scheduled time of the run that is due next, also while one is at work; null if there is none. */
    synchronized @Nullable Instant next() {
        Slot slot = pending;
        if (slot == null) {
            return null;
        }
        return pendingTaken ? slot.next().orElse(null) : slot.scheduled();
    }

    /** The scheduled time of the run that began last; null if none did. */
    synchronized @Nullable Instant previous() {
        return previous;
    }

    ZoneId zone() {
        return zone(delegate);
    }

    /** The zone is told by no method. */
    private static ZoneId zone(CronTrigger trigger) {
        ZoneId zone = trigger instanceof SlotTrigger
                ? ((SlotTrigger) trigger).zone()
                : Fields.read(trigger, CronTrigger.class, ZoneId.class);
        return zone == null ? TimeZone.getDefault().toZoneId() : zone;
    }

    private static String hash(String text) {
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
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public String toString() {
        return delegate.toString();
    }

    /** As if a run had been due, begun and ended at one instant. Has the methods of Spring 5 and of the newer ones. */
    @SuppressWarnings({"UnusedMethod", "EffectivelyPrivate"}) // The newer Spring calls those that the older has not.
    private static final class Fired implements TriggerContext {
        private final Date time;

        Fired(Date time) {
            this.time = time;
        }

        @Override
        public Date lastScheduledExecutionTime() {
            return new Date(time.getTime());
        }

        @Override
        public Date lastActualExecutionTime() {
            return new Date(time.getTime());
        }

        @Override
        public Date lastCompletionTime() {
            return new Date(time.getTime());
        }

        public Instant lastScheduledExecution() {
            return time.toInstant();
        }

        public Instant lastActualExecution() {
            return time.toInstant();
        }

        public Instant lastCompletion() {
            return time.toInstant();
        }
    }
}
