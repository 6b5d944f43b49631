package dev.joblock.sample.files;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads the states of all files, in the database's time. Thread-safe. */
public class FileReport {

    /** Which files a list shows. */
    public enum Filter {
        /** Every file. */
        ALL("TRUE"),
        /** Those that came too late, or are missing since they were due. */
        LATE("late"),
        /** Those whose last version is broken. */
        BROKEN("broken"),
        /** Those that have come. */
        ARRIVED("state <> 'not arrived'");

        private final String condition;

        Filter(String condition) {
            this.condition = condition;
        }
    }

    private static final String FILES = """
            WITH file AS (
              SELECT f.name, f.partner, f.expected_at, f.state, f.arrived_at, f.watched_at, f.watched_by,
                     DATEADD(SECOND, :grace, f.expected_at) < COALESCE(f.arrived_at, CURRENT_TIMESTAMP) AS late,
                     v.id IS NOT NULL AND (NOT v.complete OR v.status = 'failed' OR COALESCE(v.skip_count, 0) > 0) AS broken,
                     (SELECT COUNT(*) FROM file_version n WHERE n.name = f.name) AS versions,
                     v.checksum, v.status, v.loaded_by, v.error,
                     COALESCE(v.row_count, 0) AS row_count, COALESCE(v.skip_count, 0) AS skip_count
                FROM expected_file f LEFT JOIN file_version v ON v.id = f.version_id)
            """;

    private final JdbcClient jdbc;
    private final int graceSeconds;

    /**
     * A report.
     *
     * @param dataSource the database that all nodes share
     * @param graceSeconds how long after its time a file is late
     */
    public FileReport(DataSource dataSource, int graceSeconds) {
        this.jdbc = JdbcClient.create(dataSource);
        this.graceSeconds = graceSeconds;
    }

    /**
     * Files one by one.
     *
     * @param filter which
     * @param limit how many at the most
     * @return missing ones that are late first, then those that have come, the newest first, then those to come
     */
    public List<FileStatus> list(Filter filter, int limit) {
        return jdbc.sql(FILES + "SELECT * FROM file WHERE " + filter.condition
                        + " ORDER BY CASE WHEN arrived_at IS NOT NULL THEN 1 WHEN late THEN 0 ELSE 2 END,"
                        + " arrived_at DESC, expected_at, name FETCH FIRST :most ROWS ONLY")
                .param("grace", graceSeconds)
                .param("most", limit)
                .query((row, n) -> status(row))
                .list();
    }

    /**
     * All files together.
     *
     * @return their numbers
     */
    public FileSummary summary() {
        return jdbc.sql(FILES + """
                        SELECT COUNT(*) FILTER (WHERE state = 'not arrived') AS not_arrived,
                               COUNT(*) FILTER (WHERE state = 'arrived') AS arrived,
                               COUNT(*) FILTER (WHERE state = 'sent again') AS sent_again,
                               COUNT(*) FILTER (WHERE late) AS late,
                               COUNT(*) FILTER (WHERE broken) AS broken,
                               COALESCE(SUM(versions), 0) AS versions,
                               (SELECT COALESCE(SUM(row_count), 0) FROM file_version) AS row_count,
                               (SELECT COALESCE(SUM(skip_count), 0) FROM file_version) AS skip_count
                          FROM file""")
                .param("grace", graceSeconds)
                .query((row, n) -> new FileSummary(
                        row.getInt("not_arrived"),
                        row.getInt("arrived"),
                        row.getInt("sent_again"),
                        row.getInt("late"),
                        row.getInt("broken"),
                        row.getInt("versions"),
                        row.getInt("row_count"),
                        row.getInt("skip_count")))
                .single();
    }

    /**
     * Writes the numbers of this moment down.
     *
     * @param node this node
     * @param token the fencing token of the run
     * @return the numbers
     */
    public FileSummary keep(String node, @Nullable Long token) {
        FileSummary now = summary();
        jdbc.sql("INSERT INTO status_report (at, node, token, not_arrived, arrived, sent_again, late, broken)"
                        + " VALUES (CURRENT_TIMESTAMP, ?, ?, ?, ?, ?, ?, ?)")
                .param(node)
                .param(token)
                .param(now.notArrived())
                .param(now.arrived())
                .param(now.sentAgain())
                .param(now.late())
                .param(now.broken())
                .update();
        return now;
    }

    private static FileStatus status(ResultSet row) throws SQLException {
        return new FileStatus(
                row.getString("name"),
                row.getString("partner"),
                row.getObject("expected_at", Instant.class),
                row.getString("state"),
                row.getBoolean("late"),
                row.getBoolean("broken"),
                row.getObject("arrived_at", Instant.class),
                row.getInt("versions"),
                row.getString("checksum"),
                row.getString("status"),
                row.getString("loaded_by"),
                row.getInt("row_count"),
                row.getInt("skip_count"),
                row.getString("error"),
                row.getObject("watched_at", Instant.class),
                row.getString("watched_by"));
    }
}
