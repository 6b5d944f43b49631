package dev.joblock.cluster;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;

/** Reads what the job bodies and the listener of the sample have written. To be used by one thread. */
final class Evidence implements AutoCloseable {

    private final Connection connection;

    Evidence(String jdbcUrl) throws SQLException {
        JdbcDataSource source = new JdbcDataSource();
        source.setUrl(jdbcUrl);
        source.setUser("sa");
        this.connection = source.getConnection();
    }

    /** The answers that were written in the last so many seconds, in the order in which they were written. */
    List<Answer> answers(Duration last) throws SQLException {
        String sql = "SELECT job, slot, node, answer, holder FROM job_answer"
                + " WHERE at > DATEADD(MILLISECOND, ?, CURRENT_TIMESTAMP) ORDER BY at";
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setLong(1, -last.toMillis());
            List<Answer> answers = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    SampleJob job = SampleJob.find(row.getString(1)).orElse(null);
                    if (job != null) {
                        answers.add(new Answer(
                                job,
                                row.getObject(2, Instant.class),
                                row.getString(3),
                                row.getString(4),
                                row.getString(5)));
                    }
                }
            }
            return answers;
        }
    }

    /** The connection, for more to be read. */
    Connection connection() {
        return connection;
    }

    /** The abandoned runs that were found after a row. */
    List<AbandonedRun> abandonedAfter(long id) throws SQLException {
        String sql = "SELECT id, job, slot, node, found_by, at FROM job_abandoned WHERE id > ? ORDER BY id";
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setLong(1, id);
            List<AbandonedRun> runs = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    runs.add(new AbandonedRun(
                            row.getLong(1),
                            row.getString(2),
                            row.getObject(3, Instant.class),
                            row.getString(4),
                            row.getString(5),
                            row.getObject(6, Instant.class)));
                }
            }
            return runs;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
