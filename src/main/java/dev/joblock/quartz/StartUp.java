package dev.joblock.quartz;

import dev.joblock.JobPatterns;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.impl.matchers.GroupMatcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is checked and told once when schedulers are guarded.
 *
 * <p>For one thread.
 */
final class StartUp {

    private static final Logger LOG = LoggerFactory.getLogger(QuartzAttacher.class);

    private final boolean strict;
    private final Set<String> jobs = new TreeSet<>();
    private final Set<JobLockQuartzListener> listeners = new LinkedHashSet<>();
    private final List<String> unguarded = new ArrayList<>();
    private int schedulers;

    StartUp(boolean strict) {
        this.strict = strict;
    }

    boolean isEmpty() {
        return schedulers == 0;
    }

    /**
     * Checks one scheduler and logs its table.
     *
     * @throws IllegalStateException if generated names are ambiguous
     */
    void add(Scheduler scheduler, JobLockQuartzListener listener) throws SchedulerException {
        schedulers++;
        listeners.add(listener);
        List<Scheduled> all = scheduled(scheduler);
        GeneratedNameCheck.check(scheduler.getSchedulerName(), all, listener.guard());
        StartUpTable table = new StartUpTable(listener);
        for (Scheduled one : all) {
            jobs.add(one.job().name());
            table.add(one);
            if (one.trigger() != null && !listener.guard().guards(one.job().name())) {
                unguarded.add(one.trigger().getKey() + " of " + one.job());
            }
            if (one.trigger() != null && !Runs.isKnown(one.trigger())) {
                LOG.warn(
                        "Trigger '{}' of {} is a {}, which Joblock does not know; it is taken to fire at the same times on all"
                                + " nodes",
                        one.trigger().getKey(),
                        one.job(),
                        one.trigger().getClass().getName());
            }
        }
        if (LOG.isInfoEnabled()) {
            LOG.info(table.text(scheduler.getSchedulerName()));
        }
    }

    /**
     * Checks what concerns all schedulers together.
     *
     * @param patterns whether to check that each pattern matches a job
     * @throws IllegalStateException if strict and a pattern matches no job
     */
    void finish(boolean patterns) {
        for (JobLockQuartzListener listener : listeners) {
            if (listener.guard().isEmpty()) {
                if (!unguarded.isEmpty()) {
                    LOG.warn(
                            "Joblock guards nothing: there is neither a JobLockPolicy bean nor the property joblock.quartz.jobs."
                                    + " Unguarded triggers, which fire on every node: {}",
                            unguarded);
                }
            } else if (patterns) {
                listener.guard().patterns().forEach(this::check);
            }
        }
    }

    private void check(String pattern) {
        if (pattern.equals("*")) {
            return;
        }
        JobPatterns single = JobPatterns.parse(pattern);
        for (String job : jobs) {
            if (single.matches(job)) {
                return;
            }
        }
        String message = "The pattern '" + pattern + "' matches no Quartz job; the jobs are " + jobs
                + ". Write the job's name, with its group and a dot in front where that is not DEFAULT; * stands for any"
                + " characters";
        if (strict) {
            throw new IllegalStateException(message);
        }
        LOG.warn(message);
    }

    static List<Scheduled> scheduled(Scheduler scheduler) throws SchedulerException {
        List<Scheduled> all = new ArrayList<>();
        for (JobKey key : new TreeSet<>(scheduler.getJobKeys(GroupMatcher.anyJobGroup()))) {
            List<? extends Trigger> triggers = scheduler.getTriggersOfJob(key);
            for (Trigger trigger : triggers) {
                all.add(new Scheduled(scheduler.getJobDetail(key), trigger));
            }
            if (triggers.isEmpty()) {
                all.add(new Scheduled(scheduler.getJobDetail(key), null));
            }
        }
        return all;
    }
}
