package dev.joblock.redis;

import dev.joblock.StoreException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * Warns, once, of a server that throws keys away when its memory is full: a lock that is evicted is lost in mid-run, and its
 * marks with it. For one thread.
 */
final class EvictionCheck {

    private static final Logger LOG = LoggerFactory.getLogger(NodePresence.class);
    private static final Pattern POLICY = Pattern.compile("maxmemory_policy:([a-z-]+)");

    private boolean done;

    void check(RedisCalls calls) {
        if (done) {
            return;
        }
        try {
            String policy = calls.callReserved("nodes", (connection, key) -> policy(connection));
            if (!policy.equals("noeviction")) {
                LOG.warn(
                        "Redis may evict locks: its 'maxmemory-policy' is '{}'; set it to noeviction, or keep the locks in a"
                                + " Redis of their own",
                        policy);
            }
        } catch (StoreException e) {
            LOG.info("Whether Redis may evict locks could not be checked: {}", e.getMessage());
        }
        done = true;
    }

    /** Told by INFO, which more users may ask for than CONFIG. */
    private static String policy(RedisConnection connection) {
        Object info = connection.execute("INFO", RedisCalls.bytes("memory"));
        Matcher policy = POLICY.matcher(info instanceof byte[] ? RedisCalls.text((byte[]) info) : String.valueOf(info));
        if (!policy.find()) {
            throw new IllegalStateException("INFO names no maxmemory_policy");
        }
        return policy.group(1);
    }
}
