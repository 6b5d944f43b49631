package dev.joblock.redis;

import java.time.Duration;
import java.util.Arrays;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.context.Lifecycle;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration.JedisClientConfigurationBuilder;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Makes pooled Jedis connection factories. Names Jedis' types, so that a host without Jedis can load the classes that use this
 * one. Stateless.
 */
final class PooledJedis {

    private PooledJedis() {}

    /** Where Redis is: a cluster if it has nodes, else what sentinels watch if there are any, else one server. */
    static final class Servers {
        private final String host;
        private final int port;
        private final int database;
        private final String master;
        private final String sentinels;
        private final String cluster;

        Servers(String host, int port, int database, String master, String sentinels, String cluster) {
            this.host = host;
            this.port = port;
            this.database = database;
            this.master = master;
            this.sentinels = sentinels;
            this.cluster = cluster;
        }
    }

    /** What one logs in with; empty texts for nothing. */
    static final class Login {
        private final String username;
        private final String password;
        private final String sentinelPassword;

        Login(String username, String password, String sentinelPassword) {
            this.username = username;
            this.password = password;
            this.sentinelPassword = sentinelPassword;
        }
    }

    /**
     * A factory that connects on first use. Sentinel's pool and a cluster ask for their servers when they are made, and would
     * fail a start while these are away; so they are made on first use.
     */
    static RedisConnectionFactory make(
            Servers servers, Login login, boolean ssl, Duration timeout, @Nullable Object poolConfig) {
        JedisClientConfiguration client = client(ssl, timeout, poolConfig);
        if (!servers.cluster.isEmpty()) {
            RedisClusterConfiguration cluster = cluster(servers, login);
            return new OnFirstUse(true, () -> begun(new JedisConnectionFactory(cluster, client)));
        }
        if (!servers.sentinels.isEmpty()) {
            RedisSentinelConfiguration watched = watched(servers, login);
            return new OnFirstUse(false, () -> begun(new JedisConnectionFactory(watched, client)));
        }
        return begun(new JedisConnectionFactory(standalone(servers, login), client));
    }

    private static RedisStandaloneConfiguration standalone(Servers servers, Login login) {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(servers.host, servers.port);
        server.setDatabase(servers.database);
        if (!login.username.isEmpty()) {
            server.setUsername(login.username);
        }
        server.setPassword(password(login.password));
        return server;
    }

    private static RedisSentinelConfiguration watched(Servers servers, Login login) {
        RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration().master(servers.master);
        for (String node : servers.sentinels.split(",", -1)) {
            int colon = node.lastIndexOf(':');
            sentinels.sentinel(node.substring(0, colon), Integer.valueOf(node.substring(colon + 1)));
        }
        sentinels.setDatabase(servers.database);
        if (!login.username.isEmpty()) {
            sentinels.setUsername(login.username);
        }
        sentinels.setPassword(password(login.password));
        sentinels.setSentinelPassword(password(login.sentinelPassword));
        return sentinels;
    }

    private static RedisClusterConfiguration cluster(Servers servers, Login login) {
        RedisClusterConfiguration cluster =
                new RedisClusterConfiguration(Arrays.asList(servers.cluster.split(",", -1)));
        if (!login.username.isEmpty()) {
            cluster.setUsername(login.username);
        }
        cluster.setPassword(password(login.password));
        return cluster;
    }

    private static RedisPassword password(String text) {
        return text.isEmpty() ? RedisPassword.none() : RedisPassword.of(text);
    }

    private static JedisClientConfiguration client(boolean ssl, Duration timeout, @Nullable Object poolConfig) {
        JedisClientConfigurationBuilder client =
                JedisClientConfiguration.builder().connectTimeout(timeout).readTimeout(timeout);
        if (ssl) {
            client.useSsl();
        }
        if (poolConfig != null) {
            client.usePooling().poolConfig((GenericObjectPoolConfig<?>) poolConfig);
        }
        return client.build();
    }

    private static JedisConnectionFactory begun(JedisConnectionFactory factory) {
        factory.afterPropertiesSet();
        // Since Spring Data 3.2 a factory gives connections only once started; this one has no container to do so.
        Object perhapsLifecycle = factory;
        if (perhapsLifecycle instanceof Lifecycle && !((Lifecycle) perhapsLifecycle).isRunning()) {
            ((Lifecycle) perhapsLifecycle).start();
        }
        return factory;
    }
}
