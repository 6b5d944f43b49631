package dev.joblock.sample.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.io.Resource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The files that are expected, filled into their table from a CSV file by the first node that starts. The CSV says at what
 * time of the day a file is due; the sample's day begins with that start, and its hours are as long as one likes.
 *
 * <p>Thread-safe.
 */
public class ExpectedFiles implements InitializingBean {

    private static final int ATTEMPTS = 10;

    private record Line(String name, String partner, LocalTime due) {}

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final Resource csv;
    private final Duration hour;

    /**
     * The files.
     *
     * @param dataSource the database that all nodes share
     * @param transactionManager for it
     * @param csv {@code name,partner,due} with a line of titles; due as {@code HH:MM}
     * @param secondsPerHour how long an hour of the sample's day takes
     */
    public ExpectedFiles(
            DataSource dataSource, PlatformTransactionManager transactionManager, Resource csv, double secondsPerHour) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.transaction = new TransactionTemplate(transactionManager);
        this.csv = csv;
        this.hour = Duration.ofNanos((long) (secondsPerHour * 1e9));
    }

    @Override
    public void afterPropertiesSet() {
        List<Line> lines = read();
        for (int attempt = 1; ; attempt++) {
            try {
                transaction.executeWithoutResult(status -> fill(lines));
                return;
            } catch (DataAccessException e) {
                // Another node fills the table at this moment; its rows, all or none, are there next time.
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /**
     * The names of all files.
     *
     * @return the names, in the order in which they are due
     */
    public List<String> names() {
        return jdbc.queryForList("SELECT name FROM expected_file ORDER BY expected_at, name", String.class);
    }

    private void fill(List<Line> lines) {
        Integer rows = jdbc.queryForObject("SELECT COUNT(*) FROM expected_file", Integer.class);
        if (rows != null && rows > 0) {
            return;
        }
        LocalTime first =
                lines.stream().map(Line::due).min(LocalTime::compareTo).orElse(LocalTime.MIDNIGHT);
        Instant begin = Objects.requireNonNull(jdbc.queryForObject("SELECT CURRENT_TIMESTAMP", Instant.class));
        List<Object[]> values = new ArrayList<>();
        for (Line line : lines) {
            double hours = Duration.between(first, line.due()).toSeconds() / 3600.0;
            Instant expected = begin.plusMillis((long) (hours * hour.toMillis()));
            values.add(new Object[] {line.name(), line.partner(), expected.atOffset(ZoneOffset.UTC)});
        }
        jdbc.batchUpdate("INSERT INTO expected_file (name, partner, expected_at) VALUES (?, ?, ?)", values);
    }

    private List<Line> read() {
        try {
            List<Line> lines = new ArrayList<>();
            for (String line : csv.getContentAsString(StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .toList()) {
                String[] fields = line.split(",", -1);
                lines.add(new Line(fields[0], fields[1], LocalTime.parse(fields[2])));
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
