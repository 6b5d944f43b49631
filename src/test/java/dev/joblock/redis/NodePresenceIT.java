package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.joblock.testing.Loggers;
import dev.joblock.testing.RedisExtension;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

class NodePresenceIT {
    private static final String KEY = "presence:{nodes}";

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private JedisConnectionFactory factory = new JedisConnectionFactory();
    private StringRedisTemplate template = new StringRedisTemplate();

    @BeforeEach
    void connect() {
        factory = new JedisConnectionFactory(new RedisStandaloneConfiguration(redis.host(), redis.port()));
        factory.afterPropertiesSet();
        template = new StringRedisTemplate(factory);
        redis.server().call("FLUSHALL");
        log.start();
        logger().addAppender(log);
    }

    @AfterEach
    void disconnect() {
        logger().detachAppender(log);
        factory.destroy();
    }

    @Test
    void secondNodeWithTheSameIdIsAnErrorInItsLog() {
        NodePresence first = started("app1");
        await().until(() -> !nodes().isEmpty());
        assertThat(errors()).isEmpty();
        NodePresence second = started("app1");
        await().until(() -> !errors().isEmpty());
        assertThat(errors()).hasSize(1).first().asString().contains("'app1'", "'joblock.node-id'");
        first.destroy();
        second.destroy();
    }

    @Test
    void serverThatMayEvictLocksIsWarnedOfOnce() {
        redis.server().call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        try {
            NodePresence node = started("app1");
            await().until(() -> log.list.stream().anyMatch(event -> event.getLevel() == Level.WARN));
            assertThat(log.list)
                    .filteredOn(event -> event.getLevel() == Level.WARN)
                    .singleElement()
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .asString()
                    .startsWith("Redis may evict locks: its 'maxmemory-policy' is 'allkeys-lru'; set it to noeviction");
            node.destroy();
        } finally {
            redis.server().call("CONFIG", "SET", "maxmemory-policy", "noeviction");
        }
    }

    @Test
    void nodesWithDifferentIdsAreListedUntilTheyLeave() {
        NodePresence first = started("app1");
        NodePresence second = started("app2");
        await().until(() -> nodes().size() == 2);
        assertThat(redis.server().text("PTTL", KEY)).matches("[1-9][0-9]+");
        first.destroy();
        assertThat(nodes()).containsExactly("app2");
        second.destroy();
        assertThat(nodes()).isEmpty();
        assertThat(errors()).isEmpty();
    }

    @Test
    void nodeThatWentWithoutAWordIsForgottenAfterAnHour() {
        long now = System.currentTimeMillis();
        redis.server().call("HSET", KEY, "gone", "x " + (now - 3_700_000), "silent", "y " + (now - 3_500_000));
        NodePresence node = started("app1");
        await().until(() -> nodes().contains("app1"));
        assertThat(nodes()).containsExactlyInAnyOrder("app1", "silent");
        node.destroy();
    }

    private NodePresence started(String id) {
        NodePresence presence = new NodePresence(template, "presence:", id, System::currentTimeMillis);
        presence.afterSingletonsInstantiated();
        return presence;
    }

    private List<String> nodes() {
        return template.<String, String>opsForHash().keys(KEY).stream().toList();
    }

    private List<String> errors() {
        return List.copyOf(log.list).stream()
                .filter(event -> event.getLevel() == Level.ERROR)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static Logger logger() {
        return Loggers.of(NodePresence.class);
    }
}
