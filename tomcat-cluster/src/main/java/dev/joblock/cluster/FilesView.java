package dev.joblock.cluster;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** One line on how far the file watch is. To be used by one thread. */
final class FilesView {

    private static final String SQL = """
            SELECT COUNT(*) AS expected,
                   COUNT(*) FILTER (WHERE f.state <> 'not arrived') AS arrived,
                   COUNT(*) FILTER (WHERE f.state = 'sent again') AS again,
                   COUNT(*) FILTER (WHERE f.state = 'not arrived' AND f.expected_at < CURRENT_TIMESTAMP) AS missing,
                   COUNT(*) FILTER (WHERE v.status = 'failed' OR NOT v.complete OR v.skip_count > 0) AS broken,
                   (SELECT COALESCE(SUM(row_count), 0) FROM file_version) AS row_count,
                   (SELECT SUM(tasks) FROM queued_tasks WHERE job = 'queueFiles' AND cycle = q.cycle) AS tasks,
                   (SELECT SUM(tasks) FROM queued_tasks WHERE job = 'queueFilesUnguarded' AND cycle = q.cycle) AS unguarded
              FROM expected_file f
              LEFT JOIN file_version v ON v.id = f.version_id
             CROSS JOIN (SELECT MAX(cycle) AS cycle FROM queued_tasks
                          WHERE at < DATEADD(SECOND, -3, CURRENT_TIMESTAMP)) q
             GROUP BY q.cycle
            """;

    private final Connection connection;

    FilesView(Connection connection) {
        this.connection = connection;
    }

    /** The line of this moment. */
    String line() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(SQL)) {
            row.next();
            return String.format(
                    "files: %d of %d have arrived (%d sent again, %d broken), %d are overdue, %,d rows loaded;"
                            + " last cycle: %d tasks, without the guard %d",
                    row.getInt("arrived"),
                    row.getInt("expected"),
                    row.getInt("again"),
                    row.getInt("broken"),
                    row.getInt("missing"),
                    row.getLong("row_count"),
                    row.getInt("tasks"),
                    row.getInt("unguarded"));
        }
    }
}
