package dev.joblock.sample.files;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The states of files and their versions, in the tables of {@code schema.sql}. Thread-safe. */
public class FileStates {

    private static final String VERSION = "v.id, v.name, v.number, v.checksum, v.status, v.attempts";
    private static final int LONGEST_ERROR = 1_000;

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;

    /**
     * The states.
     *
     * @param dataSource the database that all nodes share
     * @param transactionManager for it
     */
    public FileStates(DataSource dataSource, PlatformTransactionManager transactionManager) {
        this.jdbc = JdbcClient.create(dataSource);
        this.transaction = new TransactionTemplate(transactionManager);
    }

    /**
     * What is known of a file.
     *
     * @param name its name
     * @return what was seen last, or empty if no such file is expected
     */
    public Optional<SeenFile> find(String name) {
        return jdbc.sql("SELECT seen_size, seen_modified FROM expected_file WHERE name = ?")
                .param(name)
                .query((row, n) -> new SeenFile(
                        row.getObject("seen_size", Long.class), row.getObject("seen_modified", Instant.class)))
                .optional();
    }

    /**
     * A task was done.
     *
     * @param task the task
     * @param node by whom
     */
    public void watched(FileTask task, String node) {
        jdbc.sql("UPDATE expected_file SET watched_cycle = ?, watched_at = CURRENT_TIMESTAMP, watched_by = ?"
                        + " WHERE name = ?")
                .param(task.cycle())
                .param(node)
                .param(task.name())
                .update();
    }

    /**
     * A task was taken over.
     *
     * @param task the task
     * @param node by whom
     */
    public void takenOver(FileTask task, String node) {
        jdbc.sql("INSERT INTO taken_over (task, from_node, node, at) VALUES (?, ?, ?, CURRENT_TIMESTAMP)")
                .param(task.id())
                .param(task.takenFrom())
                .param(node)
                .update();
    }

    /**
     * A file has arrived or was sent again. The same content under the same name is the same version, however often it
     * comes.
     *
     * @param name the file's name
     * @param file its content
     * @param node who saw it
     * @return its version
     */
    public FileVersion arrived(String name, ArchivedFile file, String node) {
        return transaction.execute(status -> {
            jdbc.sql("SELECT name FROM expected_file WHERE name = ? FOR UPDATE")
                    .param(name)
                    .query(String.class)
                    .single();
            FileVersion version = version(name, file.checksum()).orElseGet(() -> add(name, file, node));
            jdbc.sql("UPDATE expected_file SET seen_size = ?, seen_modified = ?, version_id = ?,"
                            + " arrived_at = COALESCE(arrived_at, CURRENT_TIMESTAMP),"
                            + " state = CASE (SELECT COUNT(*) FROM file_version v WHERE v.name = expected_file.name)"
                            + " WHEN 1 THEN 'arrived' ELSE 'sent again' END WHERE name = ?")
                    .param(file.size())
                    .param(file.modified().toInstant().truncatedTo(ChronoUnit.NANOS))
                    .param(version.id())
                    .param(name)
                    .update();
            return version;
        });
    }

    /**
     * A version as it is now.
     *
     * @param name the file's name
     * @param checksum the content's checksum
     * @return the version
     */
    public Optional<FileVersion> version(String name, String checksum) {
        return jdbc.sql("SELECT " + VERSION + " FROM file_version v WHERE v.name = ? AND v.checksum = ?")
                .param(name)
                .param(checksum)
                .query((row, n) -> version(row))
                .optional();
    }

    /**
     * The versions of a file whose load has not ended.
     *
     * @param name the file's name
     * @return the versions, in the order of their arrival
     */
    public List<FileVersion> toBeLoaded(String name) {
        return jdbc
                .sql("SELECT " + VERSION
                        + " FROM file_version v WHERE v.name = ? AND v.status <> 'loaded' ORDER BY v.number")
                .param(name)
                .query((row, n) -> version(row))
                .list()
                .stream()
                .filter(FileVersion::isToBeLoaded)
                .toList();
    }

    /**
     * A load begins or goes on.
     *
     * @param id the version's row
     * @param node on which node
     */
    public void loading(long id, String node) {
        jdbc.sql("UPDATE file_version SET status = 'loading', attempts = attempts + 1, loaded_by = ? WHERE id = ?")
                .param(node)
                .param(id)
                .update();
    }

    /**
     * A load has ended.
     *
     * @param id the version's row
     */
    public void loaded(long id) {
        ended(id, "loaded", "");
    }

    /**
     * A load has failed.
     *
     * @param id the version's row
     * @param error why
     */
    public void failed(long id, String error) {
        ended(id, "failed", error.substring(0, Math.min(error.length(), LONGEST_ERROR)));
    }

    private void ended(long id, String status, String error) {
        jdbc.sql("UPDATE file_version v SET status = ?, error = NULLIF(?, ''), loaded_at = CURRENT_TIMESTAMP,"
                        + " row_count = (SELECT COUNT(*) FROM delivered_row r WHERE r.version_id = v.id),"
                        + " skip_count = (SELECT COUNT(*) FROM skipped_line s WHERE s.version_id = v.id) WHERE id = ?")
                .param(status)
                .param(error)
                .param(id)
                .update();
    }

    private FileVersion add(String name, ArchivedFile file, String node) {
        jdbc.sql("INSERT INTO file_version (name, number, checksum, size, complete, arrived_at, seen_by) VALUES"
                        + " (?, 1 + (SELECT COUNT(*) FROM file_version WHERE name = ?), ?, ?, ?, CURRENT_TIMESTAMP, ?)")
                .param(name)
                .param(name)
                .param(file.checksum())
                .param(file.size())
                .param(file.complete())
                .param(node)
                .update();
        return version(name, file.checksum()).orElseThrow();
    }

    private static FileVersion version(ResultSet row) throws SQLException {
        return new FileVersion(
                row.getLong("id"),
                row.getString("name"),
                row.getInt("number"),
                row.getString("checksum"),
                row.getString("status"),
                row.getInt("attempts"));
    }
}
