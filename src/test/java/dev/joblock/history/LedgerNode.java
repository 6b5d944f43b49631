package dev.joblock.history;

import dev.joblock.JobLockListener;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.LockMode;
import dev.joblock.engine.DefaultJobLockService;
import dev.joblock.redis.HashTimestampStore;
import dev.joblock.redis.RedisHistoryStore;
import dev.joblock.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** A node with a service and a ledger on one Redis. */
final class LedgerNode implements AutoCloseable {
    static final String PREFIX = "ledger:";

    final JedisConnectionFactory connections;
    final StringRedisTemplate template;
    final Ledger ledger;
    final DefaultJobLockService service;

    LedgerNode(String id, RedisServer redis, JobLockPolicy... policies) {
        this(id, redis, 10_000, List.of(), policies);
    }

    LedgerNode(String id, RedisServer redis, int capacity, List<JobLockListener> others, JobLockPolicy... policies) {
        connections = new JedisConnectionFactory(
                new RedisStandaloneConfiguration(redis.host(), redis.port()),
                JedisClientConfiguration.builder()
                        .readTimeout(Duration.ofSeconds(5))
                        .usePooling()
                        .build());
        connections.afterPropertiesSet();
        template = new StringRedisTemplate(connections);
        ledger = new Ledger(new RedisHistoryStore(template, PREFIX, 10_000, "30d"), id, capacity);
        List<JobLockListener> listeners = new ArrayList<>(others);
        listeners.add(ledger);
        service = new DefaultJobLockService(
                id,
                Duration.ofSeconds(5),
                Map.of(LockMode.HASH_TIMESTAMP, new HashTimestampStore(template, PREFIX)),
                new JobLockPolicies(new JobLockPolicy(), List.of(policies)),
                listeners);
    }

    /** Ends as a context does: the service first, which hands its last events over, then the ledger. */
    @Override
    public void close() {
        service.close();
        ledger.destroy();
        connections.destroy();
    }
}
