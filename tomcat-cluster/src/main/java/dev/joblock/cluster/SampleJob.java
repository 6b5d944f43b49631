package dev.joblock.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** The jobs of the sample WAR, in the order in which the table shows them. */
public enum SampleJob {
    /** Guarded by a script in Redis. */
    CHECK_DELIVERIES("checkDeliveries", "cron, every 2 s; guarded, mode hash-timestamp", Duration.ofMillis(1_500)),
    /** Guarded by WATCH, MULTI and EXEC. */
    REMIND_PARTNERS("remindPartners", "cron, every 2 s; guarded, mode status-time", Duration.ofMillis(1_500)),
    /** Not guarded at all. */
    CHECK_DELIVERIES_UNGUARDED(
            "checkDeliveriesUnguarded",
            "cron, every 2 s; NOT guarded: this is the problem, it runs on every node",
            Duration.ofMillis(1_500)),
    /** Guarded by a minimum interval. */
    POLL_PARTNERS(
            "pollPartners",
            "every 5 s from each node's own start; guarded, minimum interval 5 s",
            Duration.ofMillis(5_500)),
    /** Longer than its lease. */
    BUILD_REPORT(
            "buildReport",
            "cron, every 10 s, works 4 s; guarded, its lease of 3 s is renewed meanwhile",
            Duration.ofMillis(1_500)),
    /** Puts one task for each expected file on a queue. */
    QUEUE_FILES(
            "queueFiles",
            "cron, every 10 s; guarded; one task for each expected file, which any node may take",
            Duration.ofMillis(2_500)),
    /** The same without a guard. */
    QUEUE_FILES_UNGUARDED(
            "queueFilesUnguarded", "its twin; NOT guarded: as many tasks as nodes", Duration.ofMillis(2_500)),
    /** Calls a URL. */
    CALL_STOCK_UPDATE("callStockUpdate", "cron, every 10 s; guarded; one call of a URL", Duration.ofMillis(2_500));

    private final String jobName;
    private final String description;
    private final Duration patience;

    SampleJob(String jobName, String description, Duration patience) {
        this.jobName = jobName;
        this.description = description;
        this.patience = patience;
    }

    /**
     * The job that has a name.
     *
     * @param jobName the name
     * @return the job, or empty
     */
    static Optional<SampleJob> find(String jobName) {
        return Stream.of(values()).filter(job -> job.jobName.equals(jobName)).findFirst();
    }

    /**
     * The name that Quartz and Joblock know it by.
     *
     * @return the name
     */
    public String jobName() {
        return jobName;
    }

    /**
     * What it is there for.
     *
     * @return a line for people
     */
    String description() {
        return description;
    }

    /** How long after a slot the answer of a node that lives has come for certain, or nearly so. */
    Duration patience() {
        return patience;
    }
}
