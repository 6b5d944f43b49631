package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobLockService;
import java.lang.reflect.Proxy;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.quartz.Scheduler;
import org.springframework.context.support.GenericXmlApplicationContext;

/** A scheduler on Quartz' own cluster, in a database of this JVM. */
class ClusteredStoreTest {
    private static final String DATABASE = """
            <bean id="database" class="org.h2.jdbcx.JdbcDataSource" p:URL="jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1"/>
            <bean id="tables" class="org.springframework.jdbc.datasource.init.DataSourceInitializer" p:dataSource-ref="database">
                <property name="databasePopulator">
                    <bean class="org.springframework.jdbc.datasource.init.ResourceDatabasePopulator"
                          p:scripts="classpath:org/quartz/impl/jdbcjobstore/tables_h2.sql"/>
                </property>
            </bean>
            <bean id="scheduler" class="org.springframework.scheduling.quartz.SchedulerFactoryBean" depends-on="tables"
                  p:schedulerName="clustered" p:autoStartup="false" p:dataSource-ref="database">
                <property name="quartzProperties">
                    <value>
                        org.quartz.jobStore.isClustered=%s
                        org.quartz.scheduler.instanceId=AUTO
                    </value>
                </property>
                <property name="triggers" ref="invoiceTrigger"/>
            </bean>
            """;

    @Test
    void isLeftAloneWithAWarning() throws Exception {
        try (Logs logs = Logs.of(QuartzAttacher.class);
                GenericXmlApplicationContext context = start(true)) {
            Scheduler scheduler = context.getBean(Scheduler.class);

            assertThat(Wiring.find(scheduler)).isEmpty();
            assertThat(scheduler.getListenerManager().getJobListeners()).isEmpty();
            assertThat(logs.lines(Level.WARN, ""))
                    .singleElement()
                    .asString()
                    .contains("'clustered'", "leaves it alone");
        }
    }

    @Test
    void databaseWithoutClusterIsGuarded() throws Exception {
        try (GenericXmlApplicationContext context = start(false)) {
            assertThat(Wiring.find(context.getBean(Scheduler.class))).hasSize(1);
        }
    }

    private static GenericXmlApplicationContext start(boolean clustered) {
        JobLockService service = (JobLockService) Proxy.newProxyInstance(
                JobLockService.class.getClassLoader(),
                new Class<?>[] {JobLockService.class},
                (self, method, arguments) -> "n1");
        return Host.start(
                service,
                new JobLockPolicy[0],
                Host.job("invoice", "invoiceTrigger", "0 0 3 * * ?"),
                DATABASE.formatted(UUID.randomUUID(), clustered),
                Host.kit("*"));
    }
}
