package dev.joblock.metrics;

import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobRun;
import dev.joblock.LockMode;
import dev.joblock.LockStore;
import dev.joblock.LockStoreDecorator;
import dev.joblock.RecordedRun;
import dev.joblock.Slot;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;

/**
 * Meters of this node:
 *
 * <ul>
 *   <li>counter {@code joblock.attempts} (job, outcome): asks for a lock that were granted, or denied and why
 *   <li>timer {@code joblock.runs} (job, outcome): how long a lock was held; ran, failed or lost
 *   <li>timer {@code joblock.start.delay} (job): from the scheduled time of a slot to its grant
 *   <li>counters {@code joblock.lost}, {@code joblock.abandoned}, {@code joblock.overrun} (job)
 *   <li>gauge {@code joblock.active}: locks that are held now
 *   <li>timer {@code joblock.store} (operation, mode, result): calls to the store; renewals are {@code operation=renew}
 * </ul>
 *
 * <p>At most 1,000 jobs have meters of their own; the others share {@code job="other"}. Takes its meters out of the registry at
 * the end. Thread-safe.
 */
public final class JobMetrics implements JobLockListener, LockStoreDecorator, DisposableBean {

    private static final int MANY = 1_000;

    private final Meters meters;
    private final Set<JobLock> granted = ConcurrentHashMap.newKeySet();
    private final Map<JobLock, Boolean> lost = new ConcurrentHashMap<>();
    private final JobNames jobs = new JobNames();

    /**
     * Meters in the registry of the application.
     *
     * @param registry finds it; where there is none or no unique one, nothing is measured
     */
    public JobMetrics(RegistryFinder registry) {
        this.meters = new Meters(registry.find());
        meters.gauge(
                "joblock.active",
                granted,
                locks -> locks.stream().filter(JobLock::isHeld).count());
    }

    @Override
    public LockStore decorate(LockStore store, LockMode mode) {
        return meters.isOn() ? new MeteredStore(store, mode.toString(), meters) : store;
    }

    @Override
    public void onGranted(JobLock lock) {
        attempt(lock.run(), "granted");
        if (granted.size() >= MANY) {
            // Locks by name that nobody released have ended without a word.
            granted.removeIf(other -> !other.isHeld());
        }
        granted.add(lock);
        lock.run().slot().map(Slot::scheduled).ifPresent(scheduled -> {
            if (lock.run().origin() == JobRun.Origin.SCHEDULED) {
                Duration delay = Duration.between(scheduled, lock.since());
                meters.time(
                        "joblock.start.delay", Math.max(0, delay.toMillis()), TimeUnit.MILLISECONDS, "job", job(lock));
            }
        });
    }

    @Override
    public void onDenied(JobRun run, Denied denied) {
        attempt(run, denied.reason().toString());
    }

    @Override
    public void onEnded(JobLock lock, @Nullable Throwable failure) {
        granted.remove(lock);
        String outcome = lost.remove(lock) != null ? "lost" : failure == null ? "ran" : "failed";
        meters.time(
                "joblock.runs", lock.heldFor().toNanos(), TimeUnit.NANOSECONDS, "job", job(lock), "outcome", outcome);
    }

    @Override
    public void onLost(JobLock lock, String why) {
        lost.put(lock, true);
        meters.count("joblock.lost", "job", job(lock));
    }

    @Override
    public void onUnclaimed(JobLock lock) {
        granted.remove(lock);
    }

    @Override
    public void onAbandoned(JobLock lock, RecordedRun abandoned) {
        meters.count("joblock.abandoned", "job", job(lock));
    }

    @Override
    public void onOverrun(JobRun run, Denied denied) {
        meters.count("joblock.overrun", "job", jobs.of(run.job()));
    }

    /** Takes the meters out of the registry. */
    @Override
    public void destroy() {
        meters.remove();
    }

    private void attempt(JobRun run, String outcome) {
        meters.count("joblock.attempts", "job", jobs.of(run.job()), "outcome", outcome);
    }

    private String job(JobLock lock) {
        return jobs.of(lock.run().job());
    }
}
