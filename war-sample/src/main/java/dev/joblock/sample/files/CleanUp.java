package dev.joblock.sample.files;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Deletes what nobody will look at any more: old tasks, and old rows of the logs. A plain bean for task:scheduled. */
public class CleanUp {

    private static final Logger LOG = LoggerFactory.getLogger(CleanUp.class);

    private final JdbcClient jdbc;
    private final List<TaskQueue> queues;
    private final Duration age;

    /**
     * A clean-up.
     *
     * @param dataSource the database
     * @param queues the queues
     * @param ageMinutes how old things must be
     */
    public CleanUp(DataSource dataSource, List<TaskQueue> queues, int ageMinutes) {
        this.jdbc = JdbcClient.create(dataSource);
        this.queues = queues;
        this.age = Duration.ofMinutes(ageMinutes);
    }

    /** Does it. */
    public void run() {
        Instant before = jdbc.sql("SELECT CURRENT_TIMESTAMP")
                .query(Instant.class)
                .single()
                .minus(age);
        queues.forEach(queue -> queue.forget(before));
        int rows = delete("job_run WHERE ended < ?", before)
                + delete("job_denial WHERE at < ?", before)
                + delete("queued_tasks WHERE at < ?", before)
                + delete("taken_over WHERE at < ?", before)
                + delete("url_call WHERE at < ?", before)
                + delete("status_report WHERE at < ?", before);
        LOG.info("Cleaned up: {} rows from before {}", rows, before);
    }

    private int delete(String which, Instant before) {
        return jdbc.sql("DELETE FROM " + which).param(before).update();
    }
}
