package dev.joblock.sample.files;

import dev.joblock.JobLock;
import dev.joblock.JobLockService;
import dev.joblock.sample.RunLog;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;
import org.springframework.scheduling.quartz.QuartzJobBean;

/**
 * Puts one task for each expected file on a queue. Where it runs on all nodes at once, each file has as many tasks as
 * there are nodes. Its properties come from the scheduler's context and the job's data.
 */
public class QueueFilesJob extends QuartzJobBean {

    private @Nullable RunLog runLog;
    private @Nullable JobLockService jobLockService;
    private @Nullable ExpectedFiles expectedFiles;
    private @Nullable TaskQueue taskQueue;
    private @Nullable Cycles cycles;

    /**
     * Where the run is counted.
     *
     * @param runLog the log
     */
    public void setRunLog(RunLog runLog) {
        this.runLog = runLog;
    }

    /**
     * Knows this node's name and the run's fencing token.
     *
     * @param jobLockService the service
     */
    public void setJobLockService(JobLockService jobLockService) {
        this.jobLockService = jobLockService;
    }

    /**
     * The files.
     *
     * @param expectedFiles the files
     */
    public void setExpectedFiles(ExpectedFiles expectedFiles) {
        this.expectedFiles = expectedFiles;
    }

    /**
     * Where to put the tasks.
     *
     * @param taskQueue the queue
     */
    public void setTaskQueue(TaskQueue taskQueue) {
        this.taskQueue = taskQueue;
    }

    /**
     * Where the number of tasks goes.
     *
     * @param cycles the cycles
     */
    public void setCycles(Cycles cycles) {
        this.cycles = cycles;
    }

    @Override
    protected void executeInternal(JobExecutionContext context) {
        JobLockService locks = Objects.requireNonNull(jobLockService);
        RunLog log = Objects.requireNonNull(runLog);
        String job = context.getJobDetail().getKey().getName();
        Instant cycle = context.getScheduledFireTime().toInstant();
        long row = log.started(
                job,
                cycle,
                locks.nodeId(),
                locks.current().map(JobLock::fencingToken).orElse(null));
        try {
            List<String> names = Objects.requireNonNull(expectedFiles).names();
            Objects.requireNonNull(taskQueue).put(cycle, names);
            Objects.requireNonNull(cycles).queued(job, cycle, locks.nodeId(), names.size());
        } finally {
            log.ended(row);
        }
    }
}
