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
import java.util.TreeMap;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;

/** Counts the rows that the job bodies and the listener of the sample wrote, straight from their tables. */
final class Counts implements AutoCloseable {

    /** A run of a job as its body wrote it. */
    record Run(
            Instant slot,
            String node,
            long token,
            Instant started,
            @Nullable Instant ended) {}

    /** A denial as the listener wrote it. */
    record Denial(
            Instant slot,
            String node,
            String reason,
            @Nullable String holder,
            Instant at) {}

    /** A run that was found cut short. */
    record Abandoned(Instant slot, String node, long token, String foundBy) {}

    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private final Connection connection;

    Counts(String jdbcUrl) throws SQLException {
        JdbcDataSource source = new JdbcDataSource();
        source.setUrl(jdbcUrl);
        source.setUser("sa");
        connection = source.getConnection();
    }

    List<Run> runs(SampleJob job, Instant from, Instant to) throws SQLException {
        return list(
                "SELECT slot, node, token, started, ended FROM job_run WHERE job = ? AND slot >= ? AND slot < ? ORDER BY slot",
                row -> new Run(
                        row.getObject(1, Instant.class),
                        row.getString(2),
                        row.getLong(3),
                        row.getObject(4, Instant.class),
                        row.getObject(5, Instant.class)),
                job.jobName(),
                from,
                to);
    }

    List<Run> runs(SampleJob job, Window window) throws SQLException {
        return runs(job, window.begin(), window.end());
    }

    List<Denial> denials(SampleJob job, Window window) throws SQLException {
        return list(
                "SELECT slot, node, reason, holder, at FROM job_denial WHERE job = ? AND slot >= ? AND slot < ? ORDER BY slot",
                row -> new Denial(
                        row.getObject(1, Instant.class),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getObject(5, Instant.class)),
                job.jobName(),
                window.begin(),
                window.end());
    }

    List<Abandoned> abandoned(SampleJob job, Instant firstSlot) throws SQLException {
        return list(
                "SELECT slot, node, token, found_by FROM job_abandoned WHERE job = ? AND slot >= ? ORDER BY id",
                row -> new Abandoned(
                        row.getObject(1, Instant.class), row.getString(2), row.getLong(3), row.getString(4)),
                job.jobName(),
                firstSlot);
    }

    Optional<Run> running(SampleJob job) throws SQLException {
        return list(
                        "SELECT slot, node, token, started, ended FROM job_run WHERE job = ? AND ended IS NULL",
                        row -> new Run(
                                row.getObject(1, Instant.class),
                                row.getString(2),
                                row.getLong(3),
                                row.getObject(4, Instant.class),
                                null),
                        job.jobName())
                .stream()
                .findFirst();
    }

    /** How many denials a job without slots was given in a time. */
    int denialsBetween(SampleJob job, Instant from, Instant to) throws SQLException {
        return list(
                        "SELECT id FROM job_denial WHERE job = ? AND at >= ? AND at < ?",
                        row -> row.getLong(1),
                        job.jobName(),
                        from,
                        to)
                .size();
    }

    Map<Instant, Integer> runsPerSlot(SampleJob job, Window window) throws SQLException {
        Map<Instant, Integer> perSlot = new TreeMap<>();
        runs(job, window).forEach(run -> perSlot.merge(run.slot(), 1, Integer::sum));
        return perSlot;
    }

    Map<Instant, Integer> denialsPerSlot(SampleJob job, Window window) throws SQLException {
        Map<Instant, Integer> perSlot = new TreeMap<>();
        denials(job, window).forEach(denial -> perSlot.merge(denial.slot(), 1, Integer::sum));
        return perSlot;
    }

    Map<String, Integer> runsByNode(SampleJob job, Window window) throws SQLException {
        Map<String, Integer> byNode = new TreeMap<>();
        runs(job, window).forEach(run -> byNode.merge(run.node(), 1, Integer::sum));
        return byNode;
    }

    Map<String, Integer> denialsByReason(SampleJob job, Window window) throws SQLException {
        Map<String, Integer> byReason = new TreeMap<>();
        denials(job, window).forEach(denial -> byReason.merge(denial.reason(), 1, Integer::sum));
        return byReason;
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
