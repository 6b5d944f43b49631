package dev.joblock.redis;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConnection;

/**
 * A connection factory that is made when the first connection is asked for. Where that fails, another one is made at the next
 * ask: Spring Data's own can't be started a second time. Thread-safe.
 */
final class OnFirstUse implements RedisConnectionFactory, DisposableBean {

    private final boolean cluster;
    private final Supplier<? extends RedisConnectionFactory> maker;
    private @Nullable RedisConnectionFactory made;

    OnFirstUse(boolean cluster, Supplier<? extends RedisConnectionFactory> maker) {
        this.cluster = cluster;
        this.maker = maker;
    }

    /** Told without asking a server. */
    public boolean isRedisClusterAware() {
        return cluster;
    }

    @Override
    public RedisConnection getConnection() {
        return made().getConnection();
    }

    @Override
    public RedisClusterConnection getClusterConnection() {
        return made().getClusterConnection();
    }

    @Override
    public boolean getConvertPipelineAndTxResults() {
        return true;
    }

    @Override
    public RedisSentinelConnection getSentinelConnection() {
        return made().getSentinelConnection();
    }

    @Override
    public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException error) {
        RedisConnectionFactory known = known();
        return known == null ? null : known.translateExceptionIfPossible(error);
    }

    @Override
    public synchronized void destroy() throws Exception {
        if (made instanceof DisposableBean) {
            ((DisposableBean) made).destroy();
        }
    }

    private synchronized @Nullable RedisConnectionFactory known() {
        return made;
    }

    private synchronized RedisConnectionFactory made() {
        RedisConnectionFactory factory = made;
        if (factory == null) {
            factory = maker.get();
            made = factory;
        }
        return factory;
    }
}
