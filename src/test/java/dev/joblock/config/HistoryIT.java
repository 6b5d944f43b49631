package dev.joblock.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.HistoryEntry;
import dev.joblock.HistoryOutcome;
import dev.joblock.HistoryQuery;
import dev.joblock.JobHistory;
import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.support.GenericXmlApplicationContext;

/** What the import brings for people to look at. */
class HistoryIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    @ParameterizedTest
    @ValueSource(strings = {"", "first"})
    void theImportKeepsALedgerAndItsLastEntriesSurviveTheContext(String early) {
        // A bean that wants the service before all others has it made, and would have it destroyed, in another order.
        String bean = early.isEmpty()
                ? ""
                : "<bean class='dev.joblock.config.JobLockDrain'><constructor-arg ref='jobLockService'/></bean>";
        String prefix = "last" + early + ":";
        try (GenericXmlApplicationContext context =
                host(Host.of(bean + Host.IMPORT), prefix).start()) {
            JobLockService service = context.getBean(JobLockService.class);
            for (int i = 0; i < 50; i++) {
                service.run(JobRun.exclusive("invoice"), () -> {});
            }
        }
        try (GenericXmlApplicationContext context = host(prefix).start()) {
            assertThat(history(context).find(HistoryQuery.all()).entries())
                    .hasSize(50)
                    .allMatch(entry -> entry.outcome() == HistoryOutcome.RAN);
        }
    }

    /** Hears of the end of a run before the ledger does, and holds it back until the service is about to be closed. */
    public static final class Slow implements JobLockListener {
        private final CountDownLatch closing = new CountDownLatch(1);

        @Override
        public void onEnded(JobLock lock, @Nullable Throwable failure) {
            try {
                assertThat(closing.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Uses the service, so that it is destroyed just before it. */
    public static final class LastUser implements DisposableBean {
        private final CountDownLatch closing;

        public LastUser(Slow slow, JobLockService service) {
            this.closing = slow.closing;
        }

        @Override
        public void destroy() {
            closing.countDown();
        }
    }

    @Test
    void theLedgerOutlivesTheServiceSoThatTheOutcomesOfItsCloseAreWritten() {
        String beans = """
                <bean id="slow" class="%s"/>
                <bean id="lastUser" class="%s">
                    <constructor-arg ref="slow"/>
                    <constructor-arg ref="jobLockService"/>
                </bean>
                """.formatted(Slow.class.getName(), LastUser.class.getName());
        try (GenericXmlApplicationContext context =
                host(Host.of(beans + Host.IMPORT), "outlives:").start()) {
            context.getBean(JobLockService.class).run(JobRun.exclusive("invoice"), () -> {});
        }
        try (GenericXmlApplicationContext context = host("outlives:").start()) {
            assertThat(history(context).find(HistoryQuery.all()).entries())
                    .singleElement()
                    .extracting(HistoryEntry::outcome)
                    .isEqualTo(HistoryOutcome.RAN);
        }
    }

    @Test
    void theNumberOfEntriesIsASetting() {
        try (GenericXmlApplicationContext context =
                host("few:").environment("joblock.history.max-entries", "3").start()) {
            JobLockService service = context.getBean(JobLockService.class);
            for (int i = 0; i < 5; i++) {
                service.run(JobRun.exclusive("job" + i), () -> {});
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    history(context).find(HistoryQuery.all()).entries())
                            .extracting(HistoryEntry::job)
                            .containsExactlyInAnyOrder("job4", "job3", "job2"));
        }
    }

    @Test
    void noHistoryIsKeptWhereItIsSwitchedOff() {
        try (GenericXmlApplicationContext context =
                host("none:").environment("joblock.history.enabled", "false").start()) {
            context.getBean(JobLockService.class).run(JobRun.exclusive("invoice"), () -> {});
            assertThat(history(context).find(HistoryQuery.all()).entries()).isEmpty();
            assertThat(context.getBeanFactory().containsSingleton("joblockHistoryStore"))
                    .isFalse();
        }
        assertThat(redis.server().text("EXISTS", "none:{history}")).isEqualTo("0");
    }

    private static JobHistory history(GenericXmlApplicationContext context) {
        return context.getBean("joblockHistory", JobHistory.class);
    }

    private static Host host(String prefix) {
        return host(Host.importing(), prefix);
    }

    private static Host host(Host host, String prefix) {
        return host.environment("joblock.prefix", prefix)
                .environment("joblock.redis.host", redis.host())
                .environment("joblock.redis.port", Integer.toString(redis.port()));
    }
}
