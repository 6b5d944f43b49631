package dev.joblock.redis;

import java.util.function.LongSupplier;
import org.springframework.data.redis.connection.RedisConnection;

/** This node's clock beside that of Redis, measured over one round trip. All in ms. Immutable. */
final class NodeClock {

    final long redisTime;
    final long offset;
    /** The offset may be wrong by this much: half of the round trip. */
    final long doubt;

    private NodeClock(long redisTime, long offset, long doubt) {
        this.redisTime = redisTime;
        this.offset = offset;
        this.doubt = doubt;
    }

    /** The quicker of two tries: the first may have had to connect. */
    static NodeClock measure(RedisConnection connection, LongSupplier wallClock) {
        NodeClock first = once(connection, wallClock);
        NodeClock second = once(connection, wallClock);
        return second.doubt <= first.doubt ? second : new NodeClock(second.redisTime, first.offset, first.doubt);
    }

    private static NodeClock once(RedisConnection connection, LongSupplier wallClock) {
        long before = wallClock.getAsLong();
        long redis = RedisCalls.time(connection);
        long after = wallClock.getAsLong();
        return new NodeClock(redis, (before + after) / 2 - redis, Math.abs(after - before) / 2 + 1);
    }
}
