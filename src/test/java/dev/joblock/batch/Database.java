package dev.joblock.batch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** A database with Batch's tables, and what stands in them. */
final class Database {
    final DataSource dataSource;

    private Database(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    static Database h2() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
        return of(h2, "h2");
    }

    static Database postgres(DataSource empty) {
        return of(empty, "postgresql");
    }

    private static Database of(DataSource dataSource, String kind) {
        Database database = new Database(dataSource);
        database.execute(script("/org/springframework/batch/core/schema-" + kind + ".sql"));
        return database;
    }

    /** How many rows a condition on executions finds. */
    int executions(String condition) {
        return count("select count(*) from BATCH_JOB_EXECUTION where " + condition);
    }

    int executions() {
        return executions("1 = 1");
    }

    int instances() {
        return count("select count(*) from BATCH_JOB_INSTANCE");
    }

    void execute(String statements) {
        try (Connection connection = dataSource.getConnection();
                Statement sql = connection.createStatement()) {
            for (String statement : statements.split(";", -1)) {
                String bare = statement.replaceAll("(?m)^\\s*--.*$", "").trim();
                if (!bare.isEmpty()) {
                    sql.execute(bare);
                }
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    int count(String query) {
        try (Connection connection = dataSource.getConnection();
                Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery(query)) {
            rows.next();
            return rows.getInt(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static String script(String path) {
        try (InputStream in = Objects.requireNonNull(Database.class.getResourceAsStream(path))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
