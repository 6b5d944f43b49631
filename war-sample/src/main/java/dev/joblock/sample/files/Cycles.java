package dev.joblock.sample.files;

import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** How many tasks were queued in each cycle. Thread-safe. */
public class Cycles {

    private final JdbcClient jdbc;

    /**
     * The cycles.
     *
     * @param dataSource the database that all nodes share
     */
    public Cycles(DataSource dataSource) {
        this.jdbc = JdbcClient.create(dataSource);
    }

    /**
     * Tasks were queued.
     *
     * @param job by which job
     * @param cycle in which slot
     * @param node on which node
     * @param tasks how many
     */
    public void queued(String job, Instant cycle, String node, int tasks) {
        jdbc.sql("INSERT INTO queued_tasks (job, cycle, node, tasks, at) VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP)")
                .param(job)
                .param(cycle)
                .param(node)
                .param(tasks)
                .update();
    }

    /**
     * The last cycles.
     *
     * @param limit how many lines at the most
     * @return a line for each job and cycle, the newest first
     */
    public List<Cycle> recent(int limit) {
        return jdbc.sql("SELECT job, cycle, COUNT(*) AS nodes, SUM(tasks) AS tasks FROM queued_tasks"
                        + " GROUP BY job, cycle ORDER BY cycle DESC, job FETCH FIRST ? ROWS ONLY")
                .param(limit)
                .query((row, n) -> new Cycle(
                        row.getString("job"),
                        row.getObject("cycle", Instant.class),
                        row.getInt("nodes"),
                        row.getInt("tasks")))
                .list();
    }
}
