package dev.joblock.batch;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Restarts with the job repository in PostgreSQL, whose isolation levels are what Batch counts on. */
class RestartPostgresIT extends RestartContract {
    private static @Nullable EmbeddedPostgres postgres;
    private static int databases;

    @BeforeAll
    static void startPostgres() throws IOException {
        // The one platform whose server comes with the tests.
        assumeThat(System.getProperty("os.name") + " " + System.getProperty("os.arch"))
                .isEqualToIgnoringCase("linux amd64");
        postgres = EmbeddedPostgres.builder().start();
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        if (postgres != null) {
            postgres.close();
        }
    }

    @Override
    Database database() {
        EmbeddedPostgres server = Objects.requireNonNull(postgres);
        String name = "batch" + ++databases;
        try (Connection connection = server.getPostgresDatabase().getConnection()) {
            connection.createStatement().execute("create database " + name);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return Database.postgres(server.getDatabase("postgres", name));
    }
}
