package dev.joblock.history;

import dev.joblock.Alarm;
import dev.joblock.Durations;
import dev.joblock.HistoryEntry;
import dev.joblock.HistoryOutcome;
import dev.joblock.HistoryStore;
import dev.joblock.JobAlarm;
import dev.joblock.JobCatalog;
import dev.joblock.JobState;
import dev.joblock.JobStates;
import dev.joblock.JobSummary;
import dev.joblock.LockViews;
import dev.joblock.RegisteredJob;
import dev.joblock.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Calls the {@link JobAlarm} beans: for a slot that no node has run within the tolerance, for a job of which so many runs in a row
 * came to a bad end, and for a lost lease. Does nothing where there is no such bean. Of all nodes that see the same, one calls.
 *
 * <p>Works on one daemon thread of its own. Thread-safe.
 */
public final class Alarms implements BeanFactoryAware, SmartInitializingSingleton, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(Alarms.class);
    private static final int MOST_LOST = 1_000;
    private static final Duration SAME_SLOT = Duration.ofDays(1);
    private static final Duration SAME_FAILURES = Duration.ofHours(1);

    private final Ledger ledger;
    private final @Nullable HistoryStore history;
    private final @Nullable LockViews locks;
    private final JobStates states;
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, task -> {
        Thread it = new Thread(task, "joblock-alarms");
        it.setDaemon(true);
        return it;
    });
    private Duration tolerance = Duration.ofMinutes(5);
    private Duration every = Duration.ofMinutes(1);
    private int failures = 3;
    private @Nullable BeanFactory beans;
    private @Nullable Instant watched;
    private final Set<String> lost = new HashSet<>();
    private volatile Collection<JobAlarm> alarms = Collections.emptyList();
    private volatile Collection<JobCatalog> catalogs = Collections.emptyList();

    /**
     * Alarms.
     *
     * @param ledger tells of each entry that was written
     * @param history the ledger's store; null if none is kept, which leaves nothing to be alarmed by
     * @param locks remembers what was told already; null where guarding is switched off
     * @param states the states of jobs
     */
    public Alarms(Ledger ledger, @Nullable HistoryStore history, @Nullable LockViews locks, JobStates states) {
        this.ledger = ledger;
        this.history = history;
        this.locks = locks;
        this.states = states;
    }

    /**
     * How late a run may be before its slot counts as missed.
     *
     * @param tolerance a duration such as {@code 5m} (default)
     */
    public void setTolerance(String tolerance) {
        this.tolerance = Durations.parsePositive("tolerance", tolerance);
    }

    /**
     * How often missed slots are looked for.
     *
     * @param every a duration such as {@code 1m} (default)
     */
    public void setEvery(String every) {
        this.every = Durations.parsePositive("every", every);
    }

    /**
     * How many bad ends in a row are an alarm.
     *
     * @param failures a number, 1 or more; default 3
     */
    public void setFailures(int failures) {
        if (failures < 1) {
            throw new IllegalArgumentException(
                    "'failures' = '" + failures + "' is less than 1; give how many bad ends in a row are an alarm");
        }
        this.failures = failures;
    }

    /**
     * Gives the bean factory with the {@link JobAlarm} beans. Called by Spring.
     *
     * @param beanFactory the factory of this bean
     */
    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = beanFactory;
    }

    /** Begins to watch, if there is anybody to call. Called by Spring. */
    @Override
    public void afterSingletonsInstantiated() {
        alarms = all(JobAlarm.class);
        catalogs = all(JobCatalog.class);
        if (alarms.isEmpty() || history == null || locks == null) {
            return;
        }
        ledger.onWritten(entries -> later(() -> entries.forEach(this::check)));
        // What fails is told by guarded() itself.
        Object unused = thread.scheduleWithFixedDelay(
                guarded(this::checkMissed), every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends the thread. */
    @Override
    public void destroy() {
        thread.shutdownNow();
        try {
            // A read that Redis does not answer heeds no interrupt; a thread still in it would be a leak to the
            // container.
            if (!thread.awaitTermination(2, TimeUnit.SECONDS)) {
                LOG.debug("The thread of the alarms of Joblock still waits for its store; it ends when that answers");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void check(HistoryEntry entry) {
        HistoryStore store = history;
        if (!entry.outcome().isTrouble() || store == null) {
            return;
        }
        // It is written again when the run has ended.
        if (lost.size() > MOST_LOST) {
            lost.clear();
        }
        if (entry.outcome() == HistoryOutcome.LOST && lost.add(entry.id())) {
            call(
                    Alarm.Kind.LOST,
                    entry.job(),
                    "lost its lease on node '" + entry.node() + "', token " + entry.fencingToken() + ": "
                            + entry.detail());
        }
        JobSummary runs = store.summary(entry.job()).orElse(null);
        if (runs != null && runs.consecutiveFailures() >= failures) {
            String success = runs.lastSuccess().map(Instant::toString).orElse("never");
            if (isFirst("failing " + entry.job() + " " + success, SAME_FAILURES)) {
                call(
                        Alarm.Kind.FAILING,
                        entry.job(),
                        "came to a bad end " + runs.consecutiveFailures() + " times in a row, last on node '"
                                + runs.node() + "' at " + runs.at() + ": "
                                + runs.lastError().orElse("") + "; last success " + success);
            }
        }
    }

    private void checkMissed() {
        List<RegisteredJob> jobs = new ArrayList<>();
        catalogs.forEach(catalog -> jobs.addAll(catalog.jobs()));
        HistoryStore store = history;
        if (jobs.isEmpty() || store == null) {
            return;
        }
        Instant now = store.time();
        Instant since = watched == null ? now : watched;
        watched = since;
        for (RegisteredJob job : jobs) {
            if (Missed.slot(job, null, now, tolerance, since).isPresent()) {
                JobState state = states.state(job.job());
                Missed.slot(job, state.runs().orElse(null), now, tolerance, since)
                        .filter(slot -> !state.isHeld())
                        .ifPresent(slot -> missed(job, slot, state));
            }
        }
    }

    private void missed(RegisteredJob job, Instant slot, JobState state) {
        String last = state.runs().map(run -> run.at().toString()).orElse("never");
        if (isFirst("missed " + job.job() + " " + last, SAME_SLOT)) {
            call(
                    Alarm.Kind.MISSED,
                    job.job(),
                    "was not run by any node for its slot " + slot + " (trigger '" + job.trigger() + "'); last run "
                            + last);
        }
    }

    private boolean isFirst(String same, Duration window) {
        return locks != null && locks.isFirst("alarm " + same, "", window);
    }

    private void call(Alarm.Kind kind, String job, String what) {
        Alarm alarm = new Alarm(kind, job, "'" + job + "' " + what);
        for (JobAlarm each : alarms) {
            try {
                each.onAlarm(alarm);
            } catch (RuntimeException | LinkageError e) {
                LOG.warn("The JobAlarm {} failed on: {}", each.getClass().getName(), alarm, e);
            }
        }
    }

    private void later(Runnable task) {
        try {
            thread.execute(guarded(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("The alarms of Joblock are closed");
        }
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (StoreException e) {
                LOG.debug("The alarms of Joblock could not ask the store: {}", e.getMessage());
            } catch (RuntimeException | Error e) {
                // What is thrown out of a periodic task ends it.
                LOG.warn("The alarms of Joblock failed; jobs and locks go on", e);
            }
        };
    }

    private <T> Collection<T> all(Class<T> type) {
        return beans instanceof ListableBeanFactory
                ? BeanFactoryUtils.beansOfTypeIncludingAncestors((ListableBeanFactory) beans, type, true, false)
                        .values()
                : Collections.emptyList();
    }
}
