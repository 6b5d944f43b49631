package dev.joblock.sample.files;

import dev.joblock.JobLock;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.sample.RunLog;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;
import org.springframework.scheduling.quartz.QuartzJobBean;

/**
 * Writes the state of all files down, at an interval that can be changed while the nodes run. It fires often, on every
 * node, and asks Joblock itself, with the interval of that moment: so the one who is granted the run and the interval are
 * decided in one step.
 */
public class ReportJob extends QuartzJobBean {

    /** What the run is called; guard.xml has its policy. */
    public static final String RUN = "reportFiles";

    private @Nullable RunLog runLog;
    private @Nullable JobLockService jobLockService;
    private @Nullable ReportInterval reportInterval;
    private @Nullable FileReport fileReport;

    /**
     * Where the run is counted.
     *
     * @param runLog the log
     */
    public void setRunLog(RunLog runLog) {
        this.runLog = runLog;
    }

    /**
     * Grants the run.
     *
     * @param jobLockService the service
     */
    public void setJobLockService(JobLockService jobLockService) {
        this.jobLockService = jobLockService;
    }

    /**
     * The interval.
     *
     * @param reportInterval read at each fire
     */
    public void setReportInterval(ReportInterval reportInterval) {
        this.reportInterval = reportInterval;
    }

    /**
     * The report.
     *
     * @param fileReport what to write down
     */
    public void setFileReport(FileReport fileReport) {
        this.fileReport = fileReport;
    }

    @Override
    protected void executeInternal(JobExecutionContext context) {
        JobLockService locks = Objects.requireNonNull(jobLockService);
        Instant fired = context.getScheduledFireTime().toInstant();
        locks.run(
                JobRun.interval(
                        RUN, "redis", Objects.requireNonNull(reportInterval).read()),
                () -> write(locks, fired));
    }

    private void write(JobLockService locks, Instant fired) {
        RunLog log = Objects.requireNonNull(runLog);
        Long token = locks.current().map(JobLock::fencingToken).orElse(null);
        long row = log.started(RUN, fired, locks.nodeId(), token);
        try {
            Objects.requireNonNull(fileReport).keep(locks.nodeId(), token);
        } finally {
            log.ended(row);
        }
    }
}
