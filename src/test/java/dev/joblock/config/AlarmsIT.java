package dev.joblock.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.joblock.Alarm;
import dev.joblock.Granted;
import dev.joblock.HistoryQuery;
import dev.joblock.JobAlarm;
import dev.joblock.JobCatalog;
import dev.joblock.JobHistory;
import dev.joblock.JobLock;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.RegisteredJob;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.support.GenericXmlApplicationContext;

/** Who is called, how often, over two whole applications. */
class AlarmsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    private final List<Alarm> raised = new CopyOnWriteArrayList<>();
    private final JobAlarm alarm = raised::add;
    private final List<RegisteredJob> jobs = new CopyOnWriteArrayList<>();
    private final List<GenericXmlApplicationContext> nodes = new ArrayList<>();

    @BeforeEach
    void empty() {
        redis.server().call("FLUSHALL");
    }

    @AfterEach
    void close() {
        nodes.forEach(GenericXmlApplicationContext::close);
    }

    @Test
    void threeBadEndsInARowAreOneAlarmUntilASuccess() {
        JobLockService service = node().getBean(JobLockService.class);
        fail(service, 2);
        service.run(JobRun.exclusive("invoice"), () -> {});
        fail(service, 4);
        await().atMost(PATIENCE).until(() -> raised.size() == 1);
        assertThat(raised.get(0).kind()).isEqualTo(Alarm.Kind.FAILING);
        assertThat(raised.get(0).message()).contains("'invoice'", "times in a row", "java.lang.IllegalStateException");
        service.run(JobRun.exclusive("invoice"), () -> {});
        fail(service, 3);
        await().atMost(PATIENCE).until(() -> raised.size() == 2);
        awaitWritten(11);
        assertThat(raised).hasSize(2);
    }

    @Test
    void aLostLeaseIsOneAlarm() {
        JobLockService service = node().getBean(JobLockService.class);
        JobLock lock = ((Granted) service.tryLock(JobRun.exclusive("invoice"))).lock();
        redis.server().call("DEL", "alarm:invoice");
        await().atMost(PATIENCE).until(() -> raised.size() == 1);
        assertThat(raised.get(0).kind()).isEqualTo(Alarm.Kind.LOST);
        assertThat(raised.get(0).job()).isEqualTo("invoice");
        lock.release();
        service.run(JobRun.exclusive("other"), () -> {});
        awaitWritten(2);
        assertThat(raised).hasSize(1);
    }

    @Test
    void aSlotThatNoNodeRanIsOneAlarmOfAllNodes() {
        Instant slot = Instant.now().minusSeconds(60);
        jobs.add(new RegisteredJob("invoice", "invoice", "t", "cron x", "UTC", true, null, slot));
        node();
        node();
        await().atMost(PATIENCE).until(() -> !raised.isEmpty());
        jobs.add(new RegisteredJob("other", "other", "t", "cron x", "UTC", true, null, slot));
        await().atMost(PATIENCE).until(() -> raised.size() > 1);
        assertThat(raised).extracting(Alarm::job).containsExactly("invoice", "other");
        assertThat(raised)
                .allMatch(alarm -> alarm.kind() == Alarm.Kind.MISSED
                        && alarm.message().contains("was not run by any node for its slot " + slot));
    }

    private GenericXmlApplicationContext node() {
        GenericXmlApplicationContext context = Host.of("""
                <bean class="dev.joblock.JobLockPolicy" p:jobs="*" p:lease="1s"/>
                <bean id="joblockAlarms" class="dev.joblock.history.Alarms" p:tolerance="1s" p:every="200ms">
                    <constructor-arg ref="joblockHistory"/>
                    <constructor-arg ref="joblockHistoryStore"/>
                    <constructor-arg ref="joblockLockViews"/>
                    <constructor-arg ref="joblockStates"/>
                </bean>
                """ + Host.IMPORT)
                .singleton("alarm", alarm)
                .singleton("failing", (JobAlarm) it -> {
                    throw new IllegalStateException("mail server down");
                })
                .singleton("catalog", new Jobs(jobs))
                .environment("joblock.prefix", "alarm:")
                .environment("joblock.redis.host", redis.host())
                .environment("joblock.redis.port", Integer.toString(redis.port()))
                .start();
        nodes.add(context);
        return context;
    }

    private void awaitWritten(int entries) {
        JobHistory history = nodes.get(0).getBean("joblockHistory", JobHistory.class);
        await().atMost(PATIENCE)
                .until(() -> history.find(HistoryQuery.all()).entries().size() == entries);
    }

    private static void fail(JobLockService service, int times) {
        for (int i = 0; i < times; i++) {
            assertThatThrownBy(() -> service.run(JobRun.exclusive("invoice"), () -> {
                        throw new IllegalStateException("no paper");
                    }))
                    .hasMessage("no paper");
        }
    }

    private record Jobs(List<RegisteredJob> jobs) implements JobCatalog {
        @Override
        public int threads() {
            return 0;
        }

        @Override
        public int busyThreads() {
            return 0;
        }
    }
}
