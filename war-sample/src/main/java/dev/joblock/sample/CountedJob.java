package dev.joblock.sample;

import dev.joblock.JobLock;
import dev.joblock.JobLockService;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.springframework.scheduling.quartz.QuartzJobBean;

/**
 * The body of all jobs of the sample: it counts its run, and works for a while if it is told to. Quartz makes one
 * instance a run; its properties come from the scheduler's context and the job's data.
 */
public class CountedJob extends QuartzJobBean {

    private @Nullable RunLog runLog;
    private @Nullable JobLockService jobLockService;
    private long workMillis;

    /**
     * Where to count.
     *
     * @param runLog the log
     */
    public void setRunLog(RunLog runLog) {
        this.runLog = runLog;
    }

    /**
     * Whom to ask for this node's name and the run's fencing token. A job that wants neither does not need it.
     *
     * @param jobLockService the service
     */
    public void setJobLockService(JobLockService jobLockService) {
        this.jobLockService = jobLockService;
    }

    /**
     * How long to work.
     *
     * @param workMillis milliseconds; 0 (default) to count only
     */
    public void setWorkMillis(long workMillis) {
        this.workMillis = workMillis;
    }

    @Override
    protected void executeInternal(JobExecutionContext context) throws JobExecutionException {
        RunLog log = Objects.requireNonNull(runLog);
        JobLockService locks = Objects.requireNonNull(jobLockService);
        String job = context.getJobDetail().getKey().getName();
        Instant slot = context.getScheduledFireTime().toInstant();
        // A table that keeps the highest token it has seen could refuse the late write of a node that was overtaken.
        Long token = locks.current().map(JobLock::fencingToken).orElse(null);

        long row = log.started(job, slot, locks.nodeId(), token);
        try {
            TimeUnit.MILLISECONDS.sleep(workMillis); // stands for the real work
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobExecutionException("interrupted while working", e);
        } finally {
            log.ended(row);
        }
    }
}
