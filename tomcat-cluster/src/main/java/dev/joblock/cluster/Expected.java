package dev.joblock.cluster;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A file that a partner has promised.
 *
 * @param name its name
 * @param at when it is due
 */
record Expected(String name, Instant at) {

    /**
     * What was agreed, as the sample has it.
     *
     * @param connection to the sample's database
     * @return the files, in the order in which they are due
     */
    static List<Expected> read(Connection connection) throws SQLException {
        List<Expected> files = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT name, expected_at FROM expected_file ORDER BY expected_at, name")) {
            while (row.next()) {
                files.add(new Expected(row.getString(1), row.getObject(2, Instant.class)));
            }
        }
        return files;
    }
}
