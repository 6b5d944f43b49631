package dev.joblock.quartz;

import dev.joblock.RegisteredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.quartz.CalendarIntervalTrigger;
import org.quartz.CronTrigger;
import org.quartz.DailyTimeIntervalTrigger;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs of the schedulers that are guarded, as they are now. A scheduler whose jobs lie in a database is asked once a
 * minute. Thread-safe.
 */
final class Catalog {

    private static final Logger LOG = LoggerFactory.getLogger(QuartzAttacher.class);
    private static final long KEEP_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Map<Scheduler, JobLockQuartzListener> attached;
    private final Map<String, Kept> kept = Collections.synchronizedMap(new HashMap<>());

    /** What a database said. */
    private static final class Kept {
        private final List<RegisteredJob> jobs;
        private final long nanos = System.nanoTime();

        Kept(List<RegisteredJob> jobs) {
            this.jobs = jobs;
        }
    }

    /** A catalog of a map that others fill; synchronized by itself. */
    Catalog(Map<Scheduler, JobLockQuartzListener> attached) {
        this.attached = attached;
    }

    List<RegisteredJob> jobs() {
        List<RegisteredJob> jobs = new ArrayList<>();
        for (Map.Entry<Scheduler, JobLockQuartzListener> one : schedulers()) {
            Scheduler scheduler = one.getKey();
            try {
                if (!scheduler.isShutdown()) {
                    jobs.addAll(jobs(scheduler, one.getValue().guard()));
                }
            } catch (SchedulerException | RuntimeException e) {
                LOG.debug("The jobs of scheduler {} can't be listed", scheduler, e);
            }
        }
        return jobs;
    }

    int threads() {
        return sum(scheduler -> scheduler.getMetaData().getThreadPoolSize());
    }

    int busyThreads() {
        return sum(scheduler -> scheduler.getCurrentlyExecutingJobs().size());
    }

    private List<RegisteredJob> jobs(Scheduler scheduler, Guard guard) throws SchedulerException {
        if (!scheduler.getMetaData().isJobStoreSupportsPersistence()) {
            return list(scheduler, guard);
        }
        String name = scheduler.getSchedulerName();
        Kept last = kept.get(name);
        if (last == null || System.nanoTime() - last.nanos > KEEP_NANOS) {
            last = new Kept(list(scheduler, guard));
            kept.put(name, last);
        }
        return last.jobs;
    }

    private static List<RegisteredJob> list(Scheduler scheduler, Guard guard) throws SchedulerException {
        List<RegisteredJob> jobs = new ArrayList<>();
        for (Scheduled one : StartUp.scheduled(scheduler)) {
            Trigger trigger = one.trigger();
            if (trigger != null && isOurs(trigger)) {
                continue;
            }
            boolean guarded = guard.isEnabled() && guard.guards(one.job().name());
            String zone = trigger == null ? "" : zone(trigger);
            jobs.add(new RegisteredJob(
                    one.job().name(),
                    guard.policies()
                            .policyFor(one.job().name())
                            .lockName()
                            .orElse(one.job().lockName()),
                    trigger == null
                            ? ""
                            : Keys.plain(
                                    trigger.getKey().getGroup(),
                                    trigger.getKey().getName()),
                    trigger == null ? "" : withoutZone(Definition.of(trigger).toString(), zone),
                    zone,
                    guarded,
                    trigger == null ? null : instant(trigger.getNextFireTime()),
                    trigger == null ? null : instant(trigger.getPreviousFireTime())));
        }
        return jobs;
    }

    /** Whether it is a single fire that the kit, or a person, has added. */
    private static boolean isOurs(Trigger trigger) {
        return Runs.isManual(trigger) || LateFires.isLate(trigger);
    }

    private static String zone(Trigger trigger) {
        if (trigger instanceof CronTrigger) {
            return ((CronTrigger) trigger).getTimeZone().getID();
        }
        if (trigger instanceof CalendarIntervalTrigger) {
            return ((CalendarIntervalTrigger) trigger).getTimeZone().getID();
        }
        return trigger instanceof DailyTimeIntervalTrigger
                ? TimeZone.getDefault().getID()
                : "";
    }

    private static String withoutZone(String definition, String zone) {
        int at = zone.isEmpty() ? -1 : definition.indexOf(" " + zone);
        return at < 0 ? definition : definition.substring(0, at) + definition.substring(at + 1 + zone.length());
    }

    private static @Nullable Instant instant(@Nullable Date date) {
        return date == null ? null : date.toInstant();
    }

    private interface Count {
        int of(Scheduler scheduler) throws SchedulerException;
    }

    private int sum(Count count) {
        int sum = 0;
        for (Map.Entry<Scheduler, JobLockQuartzListener> one : schedulers()) {
            Scheduler scheduler = one.getKey();
            try {
                sum += scheduler.isShutdown() ? 0 : count.of(scheduler);
            } catch (SchedulerException | RuntimeException e) {
                LOG.debug("The threads of scheduler {} can't be counted", scheduler, e);
            }
        }
        return sum;
    }

    private List<Map.Entry<Scheduler, JobLockQuartzListener>> schedulers() {
        synchronized (attached) {
            return new ArrayList<>(attached.entrySet());
        }
    }
}
