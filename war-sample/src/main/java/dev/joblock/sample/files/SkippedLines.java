package dev.joblock.sample.files;

import javax.sql.DataSource;
import org.springframework.batch.core.listener.SkipListener;
import org.springframework.batch.infrastructure.item.file.FlatFileParseException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Keeps the lines of one version that can't be read, within the transaction of their chunk. Made for each step. */
public class SkippedLines implements SkipListener<DeliveredRow, DeliveredRow> {

    private static final int LONGEST = 1_000;

    private final JdbcClient jdbc;
    private final long version;

    /**
     * A listener.
     *
     * @param dataSource the database
     * @param version the version's row
     */
    public SkippedLines(DataSource dataSource, long version) {
        this.jdbc = JdbcClient.create(dataSource);
        this.version = version;
    }

    @Override
    public void onSkipInRead(Throwable problem) {
        if (problem instanceof FlatFileParseException broken) {
            Throwable cause = broken.getCause() == null ? broken : broken.getCause();
            jdbc.sql("INSERT INTO skipped_line (version_id, line, text, reason) VALUES (?, ?, ?, ?)")
                    .param(version)
                    .param(broken.getLineNumber())
                    .param(cut(broken.getInput()))
                    .param(cut(String.valueOf(cause.getMessage())))
                    .update();
        }
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(text.length(), LONGEST));
    }
}
