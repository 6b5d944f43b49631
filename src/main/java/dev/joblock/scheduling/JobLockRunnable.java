package dev.joblock.scheduling;

import dev.joblock.Durations;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@code Runnable} for executors of your own: runs its work if it gets the lock, and never throws.
 *
 * <p>A plain {@code ScheduledExecutorService} ends a schedule at the first exception that reaches it. So what the work throws
 * is logged as an ERROR, and what goes wrong in the kit too; the next period comes. Executors share no slot over nodes: set
 * {@link #setMinInterval} to the period, or each node runs in turn.
 *
 * <p>To be set up before it is scheduled; then safe for many threads.
 */
public class JobLockRunnable implements Runnable {

    private static final String LANE = "runnable";

    private final JobLockService service;
    private final String job;
    private final Runnable work;
    private final FireLog log = new FireLog();
    private final LockedCalls calls = new LockedCalls(log);
    private @Nullable Duration minInterval;
    private boolean fromEnd;

    /**
     * A wrapper.
     *
     * @param service gives the lock
     * @param job the job's name, which is the name of its lock unless a policy says otherwise
     * @param work what runs under the lock
     */
    public JobLockRunnable(JobLockService service, String job, Runnable work) {
        this.service = Objects.requireNonNull(service);
        this.job = JobRun.exclusive(job).job();
        this.work = Objects.requireNonNull(work);
    }

    /**
     * The least time between two starts over all nodes, in Redis time. Default: none, mutual exclusion alone.
     *
     * @param minInterval a duration such as {@code 5m}
     */
    public final void setMinInterval(String minInterval) {
        this.minInterval = Durations.parsePositive("minInterval", minInterval);
    }

    /**
     * Whether the minimum interval counts from the end of the last run, as for a fixed delay.
     *
     * @param fromEnd false by default
     */
    public final void setFromEnd(boolean fromEnd) {
        this.fromEnd = fromEnd;
    }

    /** Runs the work if it gets the lock. Throws nothing. */
    @Override
    public void run() {
        JobRun run = jobRun();
        try {
            calls.call(() -> service, job, () -> run, false, null, this::work, () -> null);
        } catch (Throwable e) {
            log.goesOn(run, e);
        }
    }

    private @Nullable Object work() {
        work.run();
        return null;
    }

    private JobRun jobRun() {
        Duration interval = minInterval;
        if (interval == null) {
            return JobRun.exclusive(job);
        }
        JobRun run = JobRun.interval(job, LANE, interval);
        return fromEnd ? run.countedFromEnd() : run;
    }

    @Override
    public String toString() {
        return "'" + job + "': " + work;
    }
}
