package dev.joblock.redis;

import dev.joblock.LegacyLock;
import dev.joblock.LockStore;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.RedisOperations;

/**
 * The store of mode {@code hash-timestamp}, the default: the lock is the record, a hash with the lock time in ms as a field
 * of its own, changed by one Lua script a call.
 *
 * <p>Thread-safe. Keeps the same record as {@link StatusTimeStore}: nodes with either exclude one another.
 */
public final class HashTimestampStore extends LuaStore {

    private final RedisOperations<?, ?> template;
    private final String prefix;
    private final ReplicaAcknowledgement replicas;

    /**
     * A store on a template. The template's serializers are not used.
     *
     * @param template gives the connections
     * @param prefix the first part of every key, such as {@code joblock:}
     */
    public HashTimestampStore(RedisOperations<?, ?> template, String prefix) {
        this(template, prefix, ReplicaAcknowledgement.none());
    }

    /**
     * A store whose grants and renewals count once replicas have them.
     *
     * @param template gives the connections
     * @param prefix the first part of every key, such as {@code joblock:}
     * @param replicas how many replicas are waited for
     */
    public HashTimestampStore(RedisOperations<?, ?> template, String prefix, ReplicaAcknowledgement replicas) {
        this(template, prefix, replicas, null);
    }

    private HashTimestampStore(
            RedisOperations<?, ?> template, String prefix, ReplicaAcknowledgement replicas, @Nullable Legacy legacy) {
        super(template, prefix, legacy == null ? "hash.lua" : legacy.script(), replicas, legacy);
        this.template = template;
        this.prefix = prefix;
        this.replicas = replicas;
    }

    @Override
    public LockStore withLegacy(LegacyLock legacy) {
        return new HashTimestampStore(template, prefix, replicas, new Legacy(legacy, prefix));
    }

    @Override
    byte[][] keys(byte[] key) {
        return new byte[][] {key};
    }
}
