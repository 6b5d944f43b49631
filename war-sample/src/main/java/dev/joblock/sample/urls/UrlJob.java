package dev.joblock.sample.urls;

import dev.joblock.JobLock;
import dev.joblock.JobLockService;
import dev.joblock.sample.RunLog;
import java.time.Instant;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.quartz.QuartzJobBean;

/** Calls the URL that its job data names, and writes down what came of it. */
public class UrlJob extends QuartzJobBean {

    private static final Logger LOG = LoggerFactory.getLogger(UrlJob.class);

    private @Nullable RunLog runLog;
    private @Nullable JobLockService jobLockService;
    private @Nullable UrlCaller urlCaller;
    private @Nullable DataSource dataSource;
    private @Nullable String url;

    /**
     * Where the run is counted.
     *
     * @param runLog the log
     */
    public void setRunLog(RunLog runLog) {
        this.runLog = runLog;
    }

    /**
     * Knows this node's name.
     *
     * @param jobLockService the service
     */
    public void setJobLockService(JobLockService jobLockService) {
        this.jobLockService = jobLockService;
    }

    /**
     * Calls.
     *
     * @param urlCaller the caller
     */
    public void setUrlCaller(UrlCaller urlCaller) {
        this.urlCaller = urlCaller;
    }

    /**
     * Where the outcome goes.
     *
     * @param dataSource the database that all nodes share
     */
    public void setDataSource(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Where to call.
     *
     * @param url the address
     */
    public void setUrl(String url) {
        this.url = url;
    }

    @Override
    protected void executeInternal(JobExecutionContext context) {
        JobLockService locks = Objects.requireNonNull(jobLockService);
        RunLog log = Objects.requireNonNull(runLog);
        String job = context.getJobDetail().getKey().getName();
        Instant slot = context.getScheduledFireTime().toInstant();
        String address = Objects.requireNonNull(url);
        long row = log.started(
                job,
                slot,
                locks.nodeId(),
                locks.current().map(JobLock::fencingToken).orElse(null));
        try {
            UrlCaller.Outcome outcome = Objects.requireNonNull(urlCaller).call(job, slot, address);
            JdbcClient.create(Objects.requireNonNull(dataSource))
                    .sql("INSERT INTO url_call (job, slot, node, url, attempts, answer, at)"
                            + " VALUES (?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP)")
                    .param(job)
                    .param(slot)
                    .param(locks.nodeId())
                    .param(address)
                    .param(outcome.attempts())
                    .param(outcome.answer())
                    .update();
            if (!outcome.answer().startsWith("2")) {
                LOG.warn("'{}' called '{}' {} times: {}", job, address, outcome.attempts(), outcome.answer());
            }
        } finally {
            log.ended(row);
        }
    }
}
