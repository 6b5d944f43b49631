package dev.joblock.sample;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;

/** What happened to the slots, in the tables of {@code schema.sql}. All times in them are the database's. Thread-safe. */
public class RunLog {

    private final JdbcClient jdbc;

    /**
     * A log.
     *
     * @param dataSource the database that all nodes share
     */
    public RunLog(DataSource dataSource) {
        this.jdbc = JdbcClient.create(dataSource);
    }

    /**
     * A body has begun.
     *
     * @param job the job's name
     * @param slot the scheduled fire time
     * @param node the node that runs it
     * @param token the fencing token, or null if the job is not guarded
     * @return the number of the row, for {@link #ended}
     */
    public long started(String job, Instant slot, String node, @Nullable Long token) {
        KeyHolder key = new GeneratedKeyHolder();
        jdbc.sql("INSERT INTO job_run (job, slot, node, token, started) VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP)")
                .param(job)
                .param(slot)
                .param(node)
                .param(token)
                .update(key, "id");
        return Objects.requireNonNull(key.getKey()).longValue();
    }

    /**
     * A body has ended.
     *
     * @param row what {@link #started} returned
     */
    public void ended(long row) {
        jdbc.sql("UPDATE job_run SET ended = CURRENT_TIMESTAMP WHERE id = ?")
                .param(row)
                .update();
    }

    /**
     * A node was denied a run.
     *
     * @param job the job's name
     * @param slot the scheduled fire time, or null if the trigger's nodes share none
     * @param node the node that was denied
     * @param reason why
     * @param holder whose run stood in the way, if one did
     * @param since since when
     * @param holderToken the fencing token of that run
     */
    public void denied(
            String job,
            @Nullable Instant slot,
            String node,
            String reason,
            @Nullable String holder,
            @Nullable Instant since,
            @Nullable Long holderToken) {
        jdbc.sql("INSERT INTO job_denial (job, slot, node, reason, holder, since, holder_token, at)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP)")
                .param(job)
                .param(slot)
                .param(node)
                .param(reason)
                .param(holder)
                .param(since)
                .param(holderToken)
                .update();
    }

    /**
     * A run was found that never ended.
     *
     * @param job the job's name
     * @param slot its scheduled fire time, or null if it had none
     * @param node the node that began it
     * @param token its fencing token
     * @param since when it was granted
     * @param foundBy the node whose run took over the lock
     */
    public void abandoned(String job, @Nullable Instant slot, String node, long token, Instant since, String foundBy) {
        jdbc.sql("INSERT INTO job_abandoned (job, slot, node, token, since, found_by, at)"
                        + " VALUES (?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP)")
                .param(job)
                .param(slot)
                .param(node)
                .param(token)
                .param(since)
                .param(foundBy)
                .update();
    }

    /**
     * The answers of the last two minutes.
     *
     * @param limit how many at the most
     * @return the answers, the newest first
     */
    public List<Answer> recentAnswers(int limit) {
        return jdbc.sql(
                        "SELECT job, slot, node, answer, holder, since, token, at FROM job_answer"
                                + " WHERE at > DATEADD(MINUTE, -2, CURRENT_TIMESTAMP) ORDER BY at DESC, node FETCH FIRST ? ROWS ONLY")
                .param(limit)
                .query((row, n) -> new Answer(
                        row.getString("job"),
                        row.getObject("slot", Instant.class),
                        row.getString("node"),
                        row.getString("answer"),
                        row.getString("holder"),
                        row.getObject("since", Instant.class),
                        row.getObject("token", Long.class),
                        row.getObject("at", Instant.class)))
                .list();
    }

    /** Fails unless the database answers. */
    public void ping() {
        jdbc.sql("SELECT 1").query(Integer.class).single();
    }
}
