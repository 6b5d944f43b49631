package dev.joblock.redis;

import dev.joblock.testing.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;

/** A pooled connection factory as a host would have it, with a template that nobody has tuned. */
final class RedisClient implements AutoCloseable {
    private final JedisConnectionFactory factory;
    private final RedisTemplate<Object, Object> template = new RedisTemplate<>();

    private RedisClient(RedisStandaloneConfiguration server, int poolSize, Duration timeout) {
        GenericObjectPoolConfig<Object> pool = new GenericObjectPoolConfig<>();
        pool.setMaxTotal(poolSize);
        pool.setMaxIdle(poolSize);
        pool.setMaxWait(timeout);
        pool.setJmxEnabled(false);
        factory = new JedisConnectionFactory(
                server,
                JedisClientConfiguration.builder()
                        .connectTimeout(timeout)
                        .readTimeout(timeout)
                        .usePooling()
                        .poolConfig(pool)
                        .build());
        factory.afterPropertiesSet();
        template.setConnectionFactory(factory);
        template.afterPropertiesSet();
    }

    static RedisClient of(RedisServer server, int poolSize) {
        return of(server.host(), server.port(), poolSize, Duration.ofSeconds(10));
    }

    static RedisClient of(String host, int port, int poolSize, Duration timeout) {
        return of(new RedisStandaloneConfiguration(host, port), poolSize, timeout);
    }

    static RedisClient of(RedisStandaloneConfiguration server, int poolSize, Duration timeout) {
        return new RedisClient(server, poolSize, timeout);
    }

    JedisConnectionFactory factory() {
        return factory;
    }

    RedisTemplate<Object, Object> template() {
        return template;
    }

    /** A connection that is certainly out of the pool: from Spring Data Redis 4.1 on only a watch keeps one there. */
    RedisConnection busy() {
        RedisConnection connection = factory.getConnection();
        connection.watch("busy".getBytes(StandardCharsets.UTF_8));
        return connection;
    }

    @Override
    public void close() {
        factory.destroy();
    }
}
