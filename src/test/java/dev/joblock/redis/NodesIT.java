package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.joblock.JobCatalog;
import dev.joblock.NodeInfo;
import dev.joblock.RegisteredJob;
import dev.joblock.testing.Loggers;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** What nodes say of themselves, and what they notice of one another. */
class NodesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final List<NodePresence> nodes = new ArrayList<>();
    private RedisClient client = RedisClient.of("localhost", 1, 1, Duration.ofSeconds(1));

    @BeforeEach
    void connect() {
        client = RedisClient.of(redis.server(), 4);
        redis.server().call("FLUSHALL");
        log.start();
        logger().addAppender(log);
    }

    @AfterEach
    void disconnect() {
        nodes.forEach(NodePresence::destroy);
        logger().detachAppender(log);
        client.close();
    }

    @Test
    void aNodeIsShownWithAllItSays() {
        Instant next = Instant.parse("2026-12-01T03:00:00Z");
        RegisteredJob job = new RegisteredJob(
                "a:b {x} <b>", "shared", "daily", "cron 0 0 3 * * ?", "Europe/Berlin", true, next, null);
        NodePresence node = start("n1", 0, job, new RegisteredJob("idle", "idle", "", "", "", false, null, null));
        await().atMost(PATIENCE).until(() -> node.nodes().size() == 1);
        NodeInfo info = node.nodes().get(0);
        assertThat(info.id()).isEqualTo("n1");
        assertThat(info.contextPath()).isEqualTo("/shop");
        assertThat(info.host()).isEqualTo("app1");
        assertThat(info.zone()).isEqualTo(java.util.TimeZone.getDefault().getID());
        assertThat(info.isAlive()).isTrue();
        assertThat(info.clockOffset().get().abs()).isLessThan(Duration.ofSeconds(5));
        assertThat(info.threads()).isEqualTo(10);
        assertThat(info.busyThreads()).isEqualTo(3);
        assertThat(info.jobs()).hasSize(2);
        assertThat(info.jobs().get(0)).usingRecursiveComparison().isEqualTo(job);
        assertThat(info.jobs().get(1).job()).isEqualTo("idle");
        assertThat(info.warnings()).isEmpty();
        node.destroy();
        assertThat(node.nodes()).isEmpty();
        assertThat(redis.server().text("EXISTS", "nodes:{nodes}", "nodes:{node-jobs}"))
                .isEqualTo("0");
    }

    @Test
    void anotherZoneForOneCronIsTold() {
        start("n1", 0, cron("daily", "0 0 3 * * ?", "UTC"));
        NodePresence second = start("n2", 0, cron("daily", "0 0 3 * * ?", "Europe/Berlin"));
        await().atMost(PATIENCE).until(() -> !warnings(second, "n2").isEmpty());
        assertThat(warnings(second, "n2"))
                .singleElement()
                .asString()
                .contains("'daily'", "zone", "'n1'", "UTC", "Europe/Berlin");
        assertThat(logged(Level.WARN)).anyMatch(line -> line.contains("'daily' has another zone on node 'n1'"));
    }

    @Test
    void anotherCronForOneJobIsToldUntilItIsGone() {
        NodePresence first = start("n1", 0, cron("daily", "0 0 3 * * ?", "UTC"), cron("same", "0 0 1 * * ?", "UTC"));
        NodePresence second = start("n2", 0, cron("daily", "0 0 4 * * ?", "UTC"), cron("same", "0 0 1 * * ?", "UTC"));
        await().atMost(PATIENCE).until(() -> !warnings(second, "n2").isEmpty());
        assertThat(warnings(second, "n2")).singleElement().asString().contains("'daily' has another schedule");
        first.destroy();
        await().atMost(PATIENCE).until(() -> warnings(second, "n2").isEmpty());
        assertThat(logged(Level.WARN))
                .filteredOn(line -> line.startsWith("Node 'n2'"))
                .hasSize(1);
    }

    @Test
    void nodesThatAgreeTakeRedisForTheOutlier() {
        NodePresence first = start("n1", 60_000);
        await().atMost(PATIENCE).until(() -> first.nodes().size() == 1);
        assertThat(first.isRedisOutlier()).isFalse();
        NodePresence second = start("n2", 60_100);
        await().atMost(PATIENCE).until(second::isRedisOutlier);
        await().atMost(PATIENCE).until(first::isRedisOutlier);
        assertThat(logged(Level.ERROR)).anyMatch(line -> line.contains("Redis is taken to be wrong"));
        assertThat(second.nodes())
                .extracting(node -> node.clockOffset().get().toMillis() / 1_000)
                .allMatch(seconds -> seconds >= 58 && seconds <= 62);
    }

    @Test
    void aNodeWhoseClockIsAheadOfAllOthersIsItselfTheOutlier() {
        NodePresence good = start("n1", 0);
        await().atMost(PATIENCE).until(() -> good.nodes().size() == 1);
        NodePresence ahead = start("n2", 60_000);
        await().atMost(PATIENCE).until(() -> !warnings(ahead, "n2").isEmpty());
        assertThat(ahead.isRedisOutlier()).isFalse();
        assertThat(good.isRedisOutlier()).isFalse();
        assertThat(warnings(ahead, "n2")).singleElement().asString().contains("ahead of", "the limit is 500 ms");
        assertThat(warnings(ahead, "n1")).isEmpty();
    }

    @Test
    void theSameIdTwiceIsAFlagToo() {
        start("app", 0);
        NodePresence second = start("app", 0);
        await().atMost(PATIENCE).until(() -> !warnings(second, "app").isEmpty());
        assertThat(warnings(second, "app")).containsExactly("another node has the id 'app' too");
    }

    private NodePresence start(String id, long clockAhead, RegisteredJob... jobs) {
        NodePresence node =
                new NodePresence(client.template(), "nodes:", id, () -> System.currentTimeMillis() + clockAhead);
        node.setContextPath("/shop");
        node.setHost("app1");
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("catalog", new Jobs(List.of(jobs)));
        node.setBeanFactory(beans);
        node.afterSingletonsInstantiated();
        nodes.add(node);
        return node;
    }

    private static RegisteredJob cron(String job, String cron, String zone) {
        return new RegisteredJob(job, job, job + "Trigger", "cron " + cron, zone, true, null, null);
    }

    private static List<String> warnings(NodePresence asked, String id) {
        return asked.nodes().stream()
                .filter(node -> node.id().equals(id))
                .flatMap(node -> node.warnings().stream())
                .toList();
    }

    private List<String> logged(Level level) {
        return List.copyOf(log.list).stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static Logger logger() {
        return Loggers.of(NodePresence.class);
    }

    private record Jobs(List<RegisteredJob> jobs) implements JobCatalog {
        @Override
        public int threads() {
            return 10;
        }

        @Override
        public int busyThreads() {
            return 3;
        }
    }
}
