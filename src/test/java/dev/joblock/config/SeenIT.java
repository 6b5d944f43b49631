package dev.joblock.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.DenialReason;
import dev.joblock.Granted;
import dev.joblock.HistoryOutcome;
import dev.joblock.HistoryQuery;
import dev.joblock.JobHistory;
import dev.joblock.JobLock;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.Slot;
import dev.joblock.events.JobAbandonedEvent;
import dev.joblock.events.JobDeniedEvent;
import dev.joblock.events.JobGrantedEvent;
import dev.joblock.events.JobLockEvent;
import dev.joblock.events.JobLostEvent;
import dev.joblock.events.JobOverrunEvent;
import dev.joblock.events.JobReleasedEvent;
import dev.joblock.testing.RedisExtension;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.ApplicationListener;
import org.springframework.context.support.GenericXmlApplicationContext;

/** Events, meters and the MBean of a whole application. */
class SeenIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();
    private static final Slot FIRST =
            Slot.of(Instant.parse("2026-01-01T00:00:00Z"), Instant.parse("2026-01-02T00:00:00Z"), "daily");

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    /** Hears events as a bean of the host does. */
    public static final class Heard implements ApplicationListener<JobLockEvent> {
        final List<JobLockEvent> events = new CopyOnWriteArrayList<>();

        @Override
        public void onApplicationEvent(JobLockEvent event) {
            events.add(event);
        }
    }

    private final Heard heard = new Heard();

    @BeforeEach
    void empty() {
        redis.server().call("FLUSHALL");
    }

    @Test
    void everyOutcomeIsAnEventOfTheContext() {
        try (GenericXmlApplicationContext context = host("p:lease='1s'").start()) {
            context.addApplicationListener(heard);
            JobLockService service = context.getBean(JobLockService.class);
            service.run(JobRun.slot("invoice", "x", FIRST), () -> {});
            service.run(JobRun.slot("invoice", "x", FIRST), () -> {});
            JobLock lost = lock(service, "lost");
            redis.server().call("HSET", "seen:lost", "until", "1");
            await().atMost(PATIENCE).until(() -> of(JobLostEvent.class).size() == 1);
            lock(service, "lost").release();
            lost.release();
            await().atMost(PATIENCE).until(() -> of(JobReleasedEvent.class).size() == 3);
            assertThat(of(JobGrantedEvent.class)).hasSize(3);
            assertThat(of(JobDeniedEvent.class)).singleElement().satisfies(event -> {
                assertThat(event.getDenied().reason()).isEqualTo(DenialReason.TAKEN);
                assertThat(event.getRun().slot()).contains(FIRST);
            });
            assertThat(of(JobLostEvent.class).get(0).getLock()).isSameAs(lost);
            assertThat(of(JobAbandonedEvent.class).get(0).getAbandoned().fencingToken())
                    .isEqualTo(lost.fencingToken());
        }
    }

    @Test
    void metersCountAttemptsRunsAndCallsToTheStoreAndLeaveWithTheContext() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (GenericXmlApplicationContext context =
                host("p:lease='1s'").singleton("registry", registry).start()) {
            JobLockService service = context.getBean(JobLockService.class);
            service.run(JobRun.slot("invoice", "x", FIRST), () -> {});
            service.run(JobRun.slot("invoice", "x", FIRST), () -> {});
            JobLock renewed = lock(service, "renewed");
            await().atMost(PATIENCE).until(() -> renewals(registry) >= 2);
            assertThat(registry.get("joblock.active").gauge().value()).isEqualTo(1);
            renewed.release();
            await().atMost(PATIENCE)
                    .until(() ->
                            registry.find("joblock.runs").tag("job", "renewed").timer() != null);
            assertThat(registry.get("joblock.active").gauge().value()).isEqualTo(0);
            assertThat(registry.get("joblock.attempts")
                            .tags("job", "invoice", "outcome", "granted")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("joblock.attempts")
                            .tags("job", "invoice", "outcome", "taken")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("joblock.runs")
                            .tags("job", "invoice", "outcome", "ran")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("joblock.runs")
                            .tag("job", "renewed")
                            .timer()
                            .totalTime(TimeUnit.MILLISECONDS))
                    .isGreaterThan(300);
            assertThat(registry.get("joblock.start.delay")
                            .tag("job", "invoice")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("joblock.store")
                            .tags("operation", "acquire", "result", "ok")
                            .timer()
                            .count())
                    .isEqualTo(3);
        }
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void aSlotThatIsOverrunIsSeenInAllPlaces() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (GenericXmlApplicationContext context =
                host("").singleton("registry", registry).start()) {
            context.addApplicationListener(heard);
            JobLockService service = context.getBean(JobLockService.class);
            Slot first = daily(0);
            Slot second = daily(1);
            service.run(JobRun.slot("invoice", "x", first), () -> {});
            JobLock byHand = lock(service, "invoice");
            assertThat(service.tryLock(JobRun.slot("invoice", "x", second)).isGranted())
                    .isFalse();
            byHand.release();
            service.run(JobRun.slot("invoice", "x", daily(2)), () -> {});

            await().atMost(PATIENCE).until(() -> of(JobReleasedEvent.class).size() == 3);
            assertThat(of(JobOverrunEvent.class)).singleElement().satisfies(event -> {
                assertThat(event.getRun().slot()).contains(second);
                assertThat(event.getDenied().reason()).isEqualTo(DenialReason.HELD);
            });
            assertThat(registry.get("joblock.overrun")
                            .tag("job", "invoice")
                            .counter()
                            .count())
                    .isEqualTo(1);
            ObjectName name = new ObjectName("dev.joblock:type=JobLock,context=" + ObjectName.quote(context.getId()));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(map(name, "Outcomes")).containsEntry("overrun", 1L));
            HistoryQuery overrun = HistoryQuery.all().outcomes(List.of(HistoryOutcome.OVERRUN));
            JobHistory history = context.getBean("joblockHistory", JobHistory.class);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(history.find(overrun).entries())
                            .singleElement()
                            .satisfies(entry -> assertThat(entry.slot()).contains(second.scheduled())));
        }
    }

    @Test
    void theMBeanShowsAndActsAndIsGoneAfterwards() throws Exception {
        ObjectName name;
        try (GenericXmlApplicationContext context = host("").start()) {
            name = new ObjectName("dev.joblock:type=JobLock,context=" + ObjectName.quote(context.getId()));
            JobLockService service = context.getBean(JobLockService.class);
            service.run(JobRun.exclusive("invoice"), () -> {});
            JobLock held = lock(service, "held");
            assertThat(SERVER.getAttribute(name, "NodeId")).isEqualTo("n1");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(map(name, "Outcomes"))
                            .containsEntry("granted", 2L)
                            .containsEntry("ran", 1L));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(map(name, "Jobs"))
                            .hasEntrySatisfying(
                                    "invoice",
                                    line -> assertThat(line.toString()).contains("last ran on n1")));
            await().atMost(PATIENCE).until(() -> ((String[]) SERVER.getAttribute(name, "Nodes")).length == 1);
            assertThat(((String[]) SERVER.getAttribute(name, "Nodes"))[0]).startsWith("n1: alive");
            assertThat(call(name, "runNow", "held")).contains("it runs on node 'n1'");
            assertThat(call(name, "release", "held")).contains("is released");
            assertThat(call(name, "release", "held")).contains("no run of ours holds it");
            held.release();
            assertThat(SERVER.getAttribute(name, "Guarding")).isEqualTo(true);
            SERVER.setAttribute(name, new Attribute("Guarding", false));
            assertThat(SERVER.getAttribute(name, "Guarding")).isEqualTo(false);
        }
        assertThat(SERVER.isRegistered(name)).isFalse();
    }

    @Test
    void anExporterOfTheHostLeavesTheBeansOfTheKitAlone() {
        try (GenericXmlApplicationContext context =
                Host.of("""
                <context:mbean-export default-domain="host%d"/>
                """.formatted(System.nanoTime()) + Host.IMPORT).start()) {
            assertThat(context.isActive()).isTrue();
        }
    }

    private Host host(String policy) {
        return Host.of("<bean class='dev.joblock.JobLockPolicy' p:jobs='*' " + policy + "/>" + Host.IMPORT)
                .environment("joblock.prefix", "seen:")
                .environment("joblock.node-id", "n1")
                .environment("joblock.redis.host", redis.host())
                .environment("joblock.redis.port", Integer.toString(redis.port()));
    }

    /** Of this month, since a mark is forgotten later. */
    private static Slot daily(int n) {
        Instant scheduled = Instant.now().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(n - 10));
        return Slot.of(scheduled, scheduled.plus(Duration.ofDays(1)), "daily");
    }

    private <T extends JobLockEvent> List<T> of(Class<T> type) {
        return heard.events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static long renewals(MeterRegistry registry) {
        var timer = registry.find("joblock.store").tag("operation", "renew").timer();
        return timer == null ? 0 : timer.count();
    }

    private static JobLock lock(JobLockService service, String name) {
        return ((Granted) service.tryLock(JobRun.exclusive(name), Duration.ofSeconds(10))).lock();
    }

    private static String call(ObjectName name, String operation, String job) throws Exception {
        return (String) SERVER.invoke(name, operation, new Object[] {job, "anna"}, new String[] {
            String.class.getName(), String.class.getName()
        });
    }

    private static Map<String, Object> map(ObjectName name, String attribute) throws Exception {
        Map<String, Object> map = new java.util.TreeMap<>();
        for (Object row : ((TabularData) SERVER.getAttribute(name, attribute)).values()) {
            map.put((String) ((CompositeData) row).get("key"), ((CompositeData) row).get("value"));
        }
        return map;
    }
}
