package dev.joblock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fence on H2, and what it takes for a name. */
class SqlFenceTest extends SqlFenceContract {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=30000";

    @Override
    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    @Override
    String numbered() {
        return "bigint generated always as identity";
    }

    @Override
    String waiting() {
        return "select count(*) from information_schema.sessions where blocker_id is not null";
    }

    @Test
    void takesATableInASchema() throws SQLException {
        SqlFence fence = new SqlFence("batch.fence$1");
        try (Connection connection = connect();
                Statement sql = connection.createStatement()) {
            sql.execute("create schema batch");
            sql.execute(fence.createTable());
            connection.setAutoCommit(false);

            fence.check(connection, "invoice", 7);

            assertThat(sql.executeQuery("select * from batch.fence$1").next()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a;drop table b",
                "a.b.c.d",
                "a..b",
                ".a",
                "a.",
                "1a",
                "a\"b",
                "a-b",
                "täble",
                "a\n"
            })
    void refusesWhatIsNoNameOfATable(String table) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SqlFence(table))
                .withMessageContaining("'" + table + "'")
                .withMessageContaining("schema.name");
    }

    @Test
    void refusesALockNameThatDoesNotFitAndATokenThatIsNone() throws SQLException {
        SqlFence fence = new SqlFence();
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> fence.check(connection, "x".repeat(256), 7))
                    .withMessageContaining("256 characters");
            assertThatIllegalArgumentException().isThrownBy(() -> fence.check(connection, "", 7));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> fence.check(connection, "invoice", 0))
                    .withMessageContaining("must be positive");
            fence.check(connection, "x".repeat(255), 1);
        }
    }
}
