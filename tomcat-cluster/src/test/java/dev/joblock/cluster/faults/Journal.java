package dev.joblock.cluster.faults;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What a node writes down, in a database that no fault of the suite touches. Thread-safe. */
public final class Journal {

    /** The tables. Times are those of {@link System#nanoTime()}, slots are in milliseconds since 1970. */
    static final String SCHEMA = """
        CREATE TABLE ready (node VARCHAR(40) NOT NULL, pid BIGINT PRIMARY KEY);
        -- What the bodies of a job do: how long they work, and how long its start is held up after the grant.
        CREATE TABLE plan (job VARCHAR(40) PRIMARY KEY, work_ms BIGINT NOT NULL, gate_ms BIGINT NOT NULL);
        CREATE TABLE gate (job VARCHAR(40) NOT NULL, slot BIGINT NOT NULL, node VARCHAR(40) NOT NULL, at BIGINT NOT NULL);
        -- One row for each time that a body really ran. held: the last moment at which its handle said so.
        CREATE TABLE run (
            id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, job VARCHAR(40) NOT NULL, slot BIGINT NOT NULL,
            node VARCHAR(40) NOT NULL, token BIGINT, late_ms BIGINT NOT NULL, work_ms BIGINT NOT NULL, started BIGINT NOT NULL, held BIGINT,
            ended BIGINT, told BOOLEAN, written VARCHAR(20));
        CREATE INDEX run_started ON run (started);
        -- What the JobLockListener of a node hears.
        CREATE TABLE event (
            id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, node VARCHAR(40) NOT NULL, job VARCHAR(40) NOT NULL,
            slot BIGINT NOT NULL, kind VARCHAR(20) NOT NULL, token BIGINT, detail VARCHAR(400), at BIGINT NOT NULL);
        CREATE INDEX event_at ON event (at);
        -- The work itself: the fence refuses an overtaken run, the key a second run of a slot.
        CREATE TABLE joblock_fence (lock_name VARCHAR(255) NOT NULL PRIMARY KEY, token BIGINT NOT NULL);
        CREATE TABLE effect (job VARCHAR(40), slot BIGINT, PRIMARY KEY (job, slot));
        """;

    private final DataSource database;
    private final String node;

    /**
     * The journal of a node.
     *
     * @param database where the tables are
     * @param node the name of the node
     */
    public Journal(DataSource database, String node) {
        this.database = database;
        this.node = node;
    }

    /** How a job shall behave. */
    record Plan(long workMillis, long gateMillis) {}

    void ready(long pid) {
        update("INSERT INTO ready (node, pid) VALUES (?, ?)", node, pid);
    }

    Plan plan(String job) {
        try (Connection connection = database.getConnection();
                PreparedStatement query =
                        connection.prepareStatement("SELECT work_ms, gate_ms FROM plan WHERE job = ?")) {
            query.setString(1, job);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? new Plan(row.getLong(1), row.getLong(2)) : new Plan(0, 0);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void atGate(String job, long slot) {
        update("INSERT INTO gate (job, slot, node, at) VALUES (?, ?, ?, ?)", job, slot, node, System.nanoTime());
    }

    /** Counts a run; the number of its row. */
    long started(String job, long slot, @Nullable Long token, long lateMillis, long workMillis) {
        String sql = "INSERT INTO run (job, slot, node, token, late_ms, work_ms, started) VALUES (?, ?, ?, ?, ?, ?, ?)";
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement(sql, new String[] {"ID"})) {
            bind(insert, job, slot, node, token, lateMillis, workMillis, System.nanoTime());
            insert.executeUpdate();
            try (ResultSet key = insert.getGeneratedKeys()) {
                key.next();
                return key.getLong(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void ended(long row, @Nullable Long held, boolean told, String written) {
        update(
                "UPDATE run SET held = ?, ended = ?, told = ?, written = ? WHERE id = ?",
                held,
                System.nanoTime(),
                told,
                written,
                row);
    }

    void event(String job, long slot, String kind, @Nullable Long token, String detail) {
        update(
                "INSERT INTO event (node, job, slot, kind, token, detail, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                node,
                job,
                slot,
                kind,
                token,
                detail.substring(0, Math.min(400, detail.length())),
                System.nanoTime());
    }

    DataSource database() {
        return database;
    }

    private void update(String sql, @Nullable Object... values) {
        try (Connection connection = database.getConnection();
                PreparedStatement update = connection.prepareStatement(sql)) {
            bind(update, values);
            update.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }
}
