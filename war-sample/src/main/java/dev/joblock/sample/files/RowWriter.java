package dev.joblock.sample.files;

import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.batch.infrastructure.item.Chunk;
import org.springframework.batch.infrastructure.item.ItemWriter;
import org.springframework.jdbc.core.JdbcTemplate;

/** Writes the lines of one version, within the transaction of their chunk. Made for each step. */
public class RowWriter implements ItemWriter<DeliveredRow> {

    private final JdbcTemplate jdbc;
    private final long version;
    private final long workMillis;

    /**
     * A writer.
     *
     * @param dataSource the database
     * @param version the version's row
     * @param workMillis how long to work on each chunk, besides
     */
    public RowWriter(DataSource dataSource, long version, long workMillis) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.version = version;
        this.workMillis = workMillis;
    }

    @Override
    public void write(Chunk<? extends DeliveredRow> chunk) throws InterruptedException {
        jdbc.batchUpdate(
                "INSERT INTO delivered_row (version_id, reference, account, amount, booked) VALUES (?, ?, ?, ?, ?)",
                chunk.getItems().stream()
                        .map(row -> new Object[] {version, row.reference(), row.account(), row.amount(), row.booked()})
                        .toList());
        TimeUnit.MILLISECONDS.sleep(workMillis); // stands for real work
    }
}
