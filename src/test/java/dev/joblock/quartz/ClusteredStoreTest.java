package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobLockService;
import dev.joblock.testing.Logs;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.quartz.Scheduler;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.utils.ConnectionProvider;
import org.springframework.context.support.GenericXmlApplicationContext;

/** A scheduler on Quartz' own cluster. It is never started, so that its database is not asked for. */
class ClusteredStoreTest {

    /** A database that nobody may ask. */
    public static class NoDatabase implements ConnectionProvider {
        @Override
        public Connection getConnection() throws SQLException {
            throw new SQLException("there is no database");
        }

        @Override
        public void shutdown() {}

        @Override
        public void initialize() {}
    }

    @Test
    void isLeftAloneWithAWarning() throws Exception {
        Scheduler scheduler = new StdSchedulerFactory(properties()).getScheduler();
        JobLockService service = (JobLockService) Proxy.newProxyInstance(
                JobLockService.class.getClassLoader(),
                new Class<?>[] {JobLockService.class},
                (self, method, arguments) -> "n1");
        try (Logs logs = Logs.of(QuartzAttacher.class);
                GenericXmlApplicationContext parent = new GenericXmlApplicationContext()) {
            parent.getBeanFactory().registerSingleton("scheduler", scheduler);
            parent.refresh();
            try (GenericXmlApplicationContext context =
                    Host.start(parent, service, new JobLockPolicy[0], Host.kit("*"))) {
                assertThat(context.isActive()).isTrue();
                assertThat(Wiring.find(scheduler)).isEmpty();
                assertThat(scheduler.getListenerManager().getJobListeners()).isEmpty();
                assertThat(logs.lines(Level.WARN, ""))
                        .singleElement()
                        .asString()
                        .contains("'" + scheduler.getSchedulerName() + "'", "leaves it alone");
            }
        } finally {
            scheduler.shutdown();
        }
    }

    private static Properties properties() {
        Properties properties = new Properties();
        properties.setProperty(StdSchedulerFactory.PROP_SCHED_INSTANCE_NAME, "clustered-" + UUID.randomUUID());
        properties.setProperty("org.quartz.threadPool.threadCount", "1");
        properties.setProperty(StdSchedulerFactory.PROP_JOB_STORE_CLASS, JobStoreTX.class.getName());
        properties.setProperty("org.quartz.jobStore.isClustered", "true");
        properties.setProperty("org.quartz.jobStore.dataSource", "none");
        properties.setProperty("org.quartz.dataSource.none.connectionProvider.class", NoDatabase.class.getName());
        return properties;
    }
}
