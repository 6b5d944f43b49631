package dev.joblock.cluster.faults;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;

/** Reads what the nodes wrote into their journals, and writes the plan of their jobs. */
final class Records implements AutoCloseable {

    /** A run as its body counted it. */
    record Run(
            long id,
            String job,
            long slot,
            String node,
            @Nullable Long token,
            long lateMillis,
            long workMillis,
            long started,
            @Nullable Long held,
            @Nullable Long ended,
            boolean told,
            String written) {}

    /** What a listener heard. */
    record Event(
            String node,
            String job,
            long slot,
            String kind,
            @Nullable Long token,
            String detail,
            long at) {}

    /** A start that is being held up after the grant. */
    record Held(long slot, String node) {}

    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private final Connection connection;

    Records(String jdbcUrl) {
        JdbcDataSource source = new JdbcDataSource();
        source.setUrl(jdbcUrl);
        source.setUser("sa");
        try {
            connection = source.getConnection();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        update(Journal.SCHEMA);
    }

    /** Says what the bodies of a job do from their next start on. */
    void plan(String job, long workMillis, long gateMillis) {
        update("MERGE INTO plan (job, work_ms, gate_ms) VALUES (?, ?, ?)", job, workMillis, gateMillis);
    }

    List<Run> runs(long since) {
        return list(
                "SELECT id, job, slot, node, token, late_ms, work_ms, started, held, ended, told, written FROM run"
                        + " WHERE started >= ? ORDER BY started",
                row -> new Run(
                        row.getLong(1),
                        row.getString(2),
                        row.getLong(3),
                        row.getString(4),
                        row.getObject(5, Long.class),
                        row.getLong(6),
                        row.getLong(7),
                        row.getLong(8),
                        row.getObject(9, Long.class),
                        row.getObject(10, Long.class),
                        row.getBoolean(11),
                        row.getString(12) == null ? "" : row.getString(12)),
                since);
    }

    List<Event> events(long since) {
        return list(
                "SELECT node, job, slot, kind, token, detail, at FROM event WHERE at >= ? ORDER BY id",
                row -> new Event(
                        row.getString(1),
                        row.getString(2),
                        row.getLong(3),
                        row.getString(4),
                        row.getObject(5, Long.class),
                        row.getString(6),
                        row.getLong(7)),
                since);
    }

    List<Held> atGate(String job, long since) {
        return list(
                "SELECT slot, node FROM gate WHERE job = ? AND at >= ? ORDER BY at",
                row -> new Held(row.getLong(1), row.getString(2)),
                job,
                since);
    }

    boolean isReady(long pid) {
        return !list("SELECT pid FROM ready WHERE pid = ?", row -> row.getLong(1), pid)
                .isEmpty();
    }

    private synchronized void update(String sql, Object... values) {
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                update.setObject(i + 1, values[i]);
            }
            update.execute();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private synchronized <T> List<T> list(String sql, Reader<T> reader, Object... values) {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                query.setObject(i + 1, values[i]);
            }
            List<T> rows = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    rows.add(reader.read(row));
                }
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
