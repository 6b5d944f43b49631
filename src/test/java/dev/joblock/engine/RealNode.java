package dev.joblock.engine;

import dev.joblock.Granted;
import dev.joblock.Holder;
import dev.joblock.JobLock;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LockMode;
import dev.joblock.LockOutcome;
import dev.joblock.LockRequest;
import dev.joblock.LockStore;
import dev.joblock.redis.HashTimestampStore;
import dev.joblock.redis.ReplicaAcknowledgement;
import dev.joblock.redis.StatusTimeStore;
import dev.joblock.redis.TokenStore;
import dev.joblock.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** One node as it is in earnest: a service with its own threads, a store, a pool of connections. */
final class RealNode implements AutoCloseable {
    final DefaultJobLockService service;
    final LockStore store;
    final RecordedEvents events = new RecordedEvents();
    private final JedisConnectionFactory connections;

    private RealNode(Builder with) {
        GenericObjectPoolConfig<Object> pool = new GenericObjectPoolConfig<>();
        pool.setMaxTotal(with.poolSize);
        pool.setMaxIdle(with.poolSize);
        pool.setMaxWait(with.poolWait);
        pool.setJmxEnabled(false);
        connections = new JedisConnectionFactory(
                new RedisStandaloneConfiguration(with.host, with.port),
                JedisClientConfiguration.builder()
                        .connectTimeout(with.timeout)
                        .readTimeout(with.timeout)
                        .usePooling()
                        .poolConfig(pool)
                        .build());
        connections.afterPropertiesSet();
        StringRedisTemplate template = new StringRedisTemplate(connections);
        store = switch (with.mode) {
            case HASH_TIMESTAMP -> new HashTimestampStore(template, "", with.replicas);
            case STATUS_TIME -> new StatusTimeStore(template, "", with.replicas);
            case TOKEN -> new TokenStore(template, "", with.replicas);
        };
        JobLockPolicy policy = new JobLockPolicy();
        policy.setMode(with.mode.toString());
        policy.setLease(with.lease);
        service = new DefaultJobLockService(
                with.id,
                with.budget,
                Map.of(with.mode, store),
                new JobLockPolicies(policy, List.of()),
                List.of(events));
    }

    static Builder on(RedisServer server) {
        return at(server.host(), server.port());
    }

    static Builder at(String host, int port) {
        return new Builder(host, port);
    }

    /** What may differ from a node of 30 s leases, a pool of 8, and a budget that a busy machine does not use up. */
    static final class Builder {
        private final String host;
        private final int port;
        private String id = "n1";
        private LockMode mode = LockMode.HASH_TIMESTAMP;
        private String lease = "30s";
        private Duration budget = Duration.ofSeconds(10);
        private int poolSize = 8;
        private Duration poolWait = Duration.ofSeconds(1);
        private Duration timeout = Duration.ofSeconds(2);
        private ReplicaAcknowledgement replicas = ReplicaAcknowledgement.none();

        private Builder(String host, int port) {
            this.host = host;
            this.port = port;
        }

        Builder id(String value) {
            id = value;
            return this;
        }

        Builder mode(LockMode value) {
            mode = value;
            return this;
        }

        Builder lease(String value) {
            lease = value;
            return this;
        }

        Builder budget(Duration value) {
            budget = value;
            return this;
        }

        Builder pool(int size, Duration wait) {
            poolSize = size;
            poolWait = wait;
            return this;
        }

        Builder timeout(Duration value) {
            timeout = value;
            return this;
        }

        Builder replicas(String number, String wait) {
            replicas = ReplicaAcknowledgement.parse(number, wait);
            return this;
        }

        RealNode open() {
            return new RealNode(this);
        }
    }

    /** After a first call that no budget bounds, so that what loads a class or opens a connection is no matter of time. */
    RealNode warmed() {
        Holder holder = new Holder("warm", "warm");
        store.acquire(new LockRequest("warm", JobRun.exclusive("warm"), holder, Duration.ofSeconds(1), true));
        store.renew("warm", holder, Duration.ofSeconds(1));
        store.cancel("warm", holder);
        store.release("warm", holder);
        return this;
    }

    JobLock grant(String job) {
        return grant(JobRun.exclusive(job));
    }

    JobLock grant(JobRun run) {
        LockOutcome outcome = service.tryLock(run);
        if (outcome instanceof Granted granted) {
            return granted.lock();
        }
        throw new AssertionError("not granted: " + outcome);
    }

    /** A connection that is taken out of the pool until it is closed. */
    RedisConnection takeConnection() {
        RedisConnection connection = connections.getConnection();
        // On the newest row nothing is taken out of the pool before something binds it, as WATCH does.
        connection.watch("unused".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        return connection;
    }

    @Override
    public void close() {
        service.close();
        connections.destroy();
    }
}
