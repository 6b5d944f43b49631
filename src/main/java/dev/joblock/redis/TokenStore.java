package dev.joblock.redis;

import dev.joblock.LegacyLock;
import dev.joblock.LockStore;
import org.springframework.data.redis.core.RedisOperations;

/**
 * The store of mode {@code token}, for locks that services in other languages share: a plain string at the lock's key, taken
 * by {@code SET … NX PX} and freed by compare-and-delete, and beside it the record at <code>{&lt;key&gt;}:joblock</code>. A
 * foreign client that does the same with the plain key excludes our runs and is excluded by them; slots, intervals and fencing
 * hold among our nodes alone.
 *
 * <p>Both keys lie in one slot of a Redis Cluster. Where the prefix brings a hash tag of its own, the record's key is
 * <code>&lt;key&gt;{joblock}</code>. Thread-safe. Excludes nodes of the other modes <em>not</em>: their lock is another key.
 */
public final class TokenStore extends LuaStore {

    /**
     * A store on a template. The template's serializers are not used.
     *
     * @param template gives the connections
     * @param prefix the first part of every key, such as {@code joblock:}
     */
    public TokenStore(RedisOperations<?, ?> template, String prefix) {
        this(template, prefix, ReplicaAcknowledgement.none());
    }

    /**
     * A store whose grants and renewals count once replicas have them.
     *
     * @param template gives the connections
     * @param prefix the first part of every key, such as {@code joblock:}
     * @param replicas how many replicas are waited for
     */
    public TokenStore(RedisOperations<?, ?> template, String prefix, ReplicaAcknowledgement replicas) {
        super(template, prefix, "token.lua", replicas);
    }

    @Override
    public LockStore withLegacy(LegacyLock legacy) {
        throw new IllegalArgumentException("The mode 'token' keeps no " + legacy
                + " beside its locks; take the mode 'hash-timestamp' or 'status-time'");
    }

    @Override
    byte[][] keys(byte[] key) {
        return tokenKeys(key);
    }

    static byte[][] tokenKeys(byte[] key) {
        String name = RedisCalls.text(key);
        int open = name.indexOf('{');
        boolean tagged = open >= 0 && name.indexOf('}', open) > open + 1;
        String record = tagged ? name + "{joblock}" : "{" + name + "}:joblock";
        return new byte[][] {RedisCalls.bytes(record), key};
    }
}
