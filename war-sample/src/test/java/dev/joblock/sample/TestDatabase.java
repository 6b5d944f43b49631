package dev.joblock.sample;

import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** A database in memory with the sample's tables, for one test. */
public final class TestDatabase {

    private final JdbcDataSource source = new JdbcDataSource();

    public TestDatabase() {
        source.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        source.setUser("sa");
        new SharedSchema(
                        source,
                        new ClassPathResource("schema.sql"),
                        new ClassPathResource("org/springframework/batch/core/schema-h2.sql"))
                .afterPropertiesSet();
    }

    public DataSource source() {
        return source;
    }

    public String url() {
        return source.getURL();
    }

    public JdbcTransactionManager transactionManager() {
        return new JdbcTransactionManager(source);
    }

    public JdbcClient jdbc() {
        return JdbcClient.create(source);
    }

    /** A file that is expected so many seconds from now; ago if negative. */
    public void expect(String name, int seconds) {
        jdbc().sql("INSERT INTO expected_file (name, partner, expected_at)"
                        + " VALUES (?, 'partner', DATEADD(SECOND, ?, CURRENT_TIMESTAMP))")
                .param(name)
                .param(seconds)
                .update();
    }

    public int count(String from) {
        return jdbc().sql("SELECT COUNT(*) FROM " + from).query(Integer.class).single();
    }
}
