package dev.joblock.jdbc;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The fence on PostgreSQL, which ends a transaction at its first error. */
class SqlFencePostgresIT extends SqlFenceContract {
    private static @Nullable EmbeddedPostgres postgres;

    @BeforeAll
    static void start() throws IOException {
        // The one platform whose server comes with the tests.
        assumeThat(System.getProperty("os.name") + " " + System.getProperty("os.arch"))
                .isEqualToIgnoringCase("linux amd64");
        postgres = EmbeddedPostgres.builder().start();
    }

    @AfterAll
    static void stop() throws IOException {
        if (postgres != null) {
            postgres.close();
        }
    }

    @Override
    Connection connect() throws SQLException {
        return Objects.requireNonNull(postgres).getPostgresDatabase().getConnection();
    }

    @Override
    String numbered() {
        return "bigint generated always as identity";
    }

    @Override
    String waiting() {
        return "select count(*) from pg_stat_activity where wait_event_type = 'Lock'";
    }

    /** In a stricter isolation the database itself refuses what it does not see. */
    @Test
    void overtakenTransactionInRepeatableReadFails() throws SQLException {
        SqlFence fence = new SqlFence();
        try (Connection older = connect();
                Connection newer = connect()) {
            older.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            older.setAutoCommit(false);
            newer.setAutoCommit(false);
            older.createStatement().executeQuery("select 1 from joblock_fence").close();
            fence.check(newer, "invoice", 8);
            newer.commit();

            assertThatExceptionOfType(SQLException.class).isThrownBy(() -> fence.check(older, "invoice", 7));
            older.rollback();
            assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> fence.check(older, "invoice", 7));
        }
    }
}
