package dev.joblock.config;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConnection;

/** A connection factory of a host, of a kind that the kit does not know; it is never asked. */
class HostConnectionFactory implements RedisConnectionFactory {

    @Override
    public boolean getConvertPipelineAndTxResults() {
        return true;
    }

    @Override
    public RedisConnection getConnection() {
        throw new UnsupportedOperationException();
    }

    @Override
    public RedisClusterConnection getClusterConnection() {
        throw new UnsupportedOperationException();
    }

    @Override
    public RedisSentinelConnection getSentinelConnection() {
        throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException e) {
        return null;
    }
}
