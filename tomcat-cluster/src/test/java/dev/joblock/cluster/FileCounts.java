package dev.joblock.cluster;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.h2.jdbcx.JdbcDataSource;

/** Counts what the file watch of the sample wrote, straight from its tables and those of Spring Batch. */
final class FileCounts implements AutoCloseable {

    /** A content that the sample has seen, and what became of it. */
    record Version(
            long id,
            String name,
            String checksum,
            boolean complete,
            String status,
            int rows,
            int skipped,
            int attempts) {}

    /** A load that has written some rows, and is at it. */
    record Loading(long version, String node) {}

    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private final Connection connection;

    FileCounts(String jdbcUrl) throws SQLException {
        JdbcDataSource source = new JdbcDataSource();
        source.setUrl(jdbcUrl);
        source.setUser("sa");
        connection = source.getConnection();
    }

    List<Expected> expected() throws SQLException {
        return Expected.read(connection);
    }

    Map<String, Version> versions() throws SQLException {
        Map<String, Version> all = new TreeMap<>();
        list(
                        "SELECT id, name, checksum, complete, status, row_count, skip_count, attempts FROM file_version",
                        row -> new Version(
                                row.getLong(1),
                                row.getString(2),
                                row.getString(3),
                                row.getBoolean(4),
                                row.getString(5),
                                row.getInt(6),
                                row.getInt(7),
                                row.getInt(8)))
                .forEach(version -> all.put(version.name() + " " + version.checksum(), version));
        return all;
    }

    /** Whether the sample knows of a content. */
    boolean isSeen(String name, String checksum) {
        try {
            return !list("SELECT id FROM file_version WHERE name = ? AND checksum = ?", row -> 1, name, checksum)
                    .isEmpty();
        } catch (SQLException e) {
            return false; // asked again
        }
    }

    Optional<Loading> loading() throws SQLException {
        return list(
                        "SELECT v.id, v.loaded_by FROM file_version v WHERE v.status = 'loading' AND v.attempts = 1"
                                + " AND (SELECT COUNT(*) FROM delivered_row r WHERE r.version_id = v.id) BETWEEN 1 AND 100"
                                + " AND v.size > 7000",
                        row -> new Loading(row.getLong(1), row.getString(2)))
                .stream()
                .findFirst();
    }

    /** By name and checksum. */
    Map<String, List<String>> executions() throws SQLException {
        Map<String, List<String>> all = new TreeMap<>();
        list(
                        "SELECT n.parameter_value || ' ' || c.parameter_value, e.status FROM batch_job_execution e"
                                + " JOIN batch_job_execution_params n ON n.job_execution_id = e.job_execution_id AND n.parameter_name = 'name'"
                                + " JOIN batch_job_execution_params c ON c.job_execution_id = e.job_execution_id AND c.parameter_name = 'checksum'"
                                + " ORDER BY e.job_execution_id",
                        row -> Map.entry(row.getString(1), row.getString(2)))
                .forEach(execution -> all.computeIfAbsent(execution.getKey(), key -> new ArrayList<>())
                        .add(execution.getValue()));
        return all;
    }

    /** How many rows there are, by version. */
    Map<Long, Integer> rows() throws SQLException {
        Map<Long, Integer> all = new TreeMap<>();
        list(
                        "SELECT version_id, COUNT(*) FROM delivered_row GROUP BY version_id",
                        row -> Map.entry(row.getLong(1), row.getInt(2)))
                .forEach(count -> all.put(count.getKey(), count.getValue()));
        return all;
    }

    /** The files that came later than the grace allows, or have not come though it is over. */
    Set<String> late(long graceMillis) throws SQLException {
        return new TreeSet<>(list(
                "SELECT name FROM expected_file"
                        + " WHERE DATEADD(MILLISECOND, ?, expected_at) < COALESCE(arrived_at, CURRENT_TIMESTAMP)",
                row -> row.getString(1),
                graceMillis));
    }

    Map<String, String> states() throws SQLException {
        Map<String, String> all = new TreeMap<>();
        list("SELECT name, state FROM expected_file", row -> Map.entry(row.getString(1), row.getString(2)))
                .forEach(state -> all.put(state.getKey(), state.getValue()));
        return all;
    }

    /** Which node took tasks over that another had left: the ones that had left them. */
    List<String> leftBy() throws SQLException {
        return list("SELECT from_node FROM taken_over", row -> row.getString(1));
    }

    Set<String> watchers() throws SQLException {
        return new TreeSet<>(list(
                "SELECT DISTINCT watched_by FROM expected_file WHERE watched_by IS NOT NULL", row -> row.getString(1)));
    }

    List<Instant> reports() throws SQLException {
        return list("SELECT at FROM status_report ORDER BY at", row -> row.getObject(1, Instant.class));
    }

    private <T> List<T> list(String sql, Reader<T> reader, Object... arguments) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                query.setObject(i + 1, arguments[i]);
            }
            List<T> rows = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    rows.add(reader.read(row));
                }
            }
            return rows;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
