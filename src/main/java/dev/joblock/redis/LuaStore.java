package dev.joblock.redis;

import dev.joblock.Durations;
import dev.joblock.Holder;
import dev.joblock.LockRequest;
import dev.joblock.LockStore;
import dev.joblock.StoreAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.RedisOperations;

/**
 * Changes a record by one Lua script a call: one round trip, no step that another client could come between. Redis commands
 * used: {@code EVALSHA}, {@code EVAL}; inside the scripts {@code TIME}, {@code HGETALL}, {@code HSET}, {@code HDEL},
 * {@code PEXPIRE}, and what the script of the kind of lock adds.
 */
abstract class LuaStore implements LockStore {

    private static final String[] NONE = {};

    private final @Nullable Legacy legacy;
    private final RedisCalls redis;
    private final ReplicaAcknowledgement replicas;
    private final LuaScript acquire;
    private final LuaScript renew;
    private final LuaScript release;
    private final LuaScript unclaim;
    private final LuaScript cancel;

    /** A store whose kind of lock is said by a script of its own. */
    LuaStore(RedisOperations<?, ?> template, String prefix, String kind, ReplicaAcknowledgement replicas) {
        this(template, prefix, kind, replicas, null);
    }

    /** A store of records with a hand-written lock beside each, if one is given. */
    LuaStore(
            RedisOperations<?, ?> template,
            String prefix,
            String kind,
            ReplicaAcknowledgement replicas,
            @Nullable Legacy legacy) {
        this.legacy = legacy;
        this.redis = new RedisCalls(template, prefix);
        this.replicas = replicas;
        this.acquire = new LuaScript("clock.lua", "record.lua", kind, "acquire.lua");
        this.renew = new LuaScript("clock.lua", "record.lua", kind, "renew.lua");
        this.release = new LuaScript("clock.lua", "record.lua", kind, "release.lua");
        this.unclaim = new LuaScript("clock.lua", "record.lua", kind, "unclaim.lua", "unclaim-run.lua");
        this.cancel = new LuaScript("clock.lua", "record.lua", kind, "unclaim.lua", "cancel-run.lua");
    }

    /** The keys of a lock: the record's first. */
    abstract byte[][] keys(byte[] key);

    @Override
    public final StoreAnswer acquire(LockRequest request) {
        RedisCalls.Keys keys = keys(request.lockName());
        byte[][] arguments = LuaAcquire.arguments(request, legacy == null ? NONE : legacy.arguments(request));
        return redis.call("acquire", request.lockName(), keys, (connection, key) -> {
            Object reply = acquire.eval(connection, ReturnType.MULTI, keys.of(key), arguments);
            StoreAnswer answer = LuaAcquire.answer(request, (List<?>) reply);
            if (!answer.denial().isPresent()) {
                replicas.await("acquire", request.lockName(), connection);
            }
            return answer;
        });
    }

    @Override
    public final boolean renew(String lockName, Holder holder, Duration lease) {
        long millis = Durations.positive("lease of '" + lockName + "'", lease).toMillis();
        RedisCalls.Keys keys = keys(lockName);
        byte[][] arguments = arguments(holder.nonce(), Long.toString(millis));
        return redis.call("renew", lockName, keys, (connection, key) -> {
            boolean held = isYes(renew.eval(connection, ReturnType.VALUE, keys.of(key), arguments));
            if (held) {
                replicas.await("renew", lockName, connection);
            }
            return held;
        });
    }

    @Override
    public final boolean release(String lockName, Holder holder) {
        return yes("release", release, lockName, holder.nonce());
    }

    @Override
    public final boolean unclaim(String lockName, Holder holder) {
        return yes("un-claim", unclaim, lockName, holder.nonce());
    }

    @Override
    public final void cancel(String lockName, Holder holder) {
        yes("cancel", cancel, lockName, holder.nonce());
    }

    @Override
    public final Instant time() {
        return redis.time();
    }

    private boolean yes(String what, LuaScript script, String lockName, String... arguments) {
        RedisCalls.Keys keys = keys(lockName);
        byte[][] all = arguments(arguments);
        Object answer = redis.call(
                what,
                lockName,
                keys,
                (connection, key) -> script.eval(connection, ReturnType.VALUE, keys.of(key), all));
        return isYes(answer);
    }

    private static boolean isYes(Object answer) {
        return RedisCalls.text((byte[]) answer).equals("1");
    }

    private RedisCalls.Keys keys(String lockName) {
        return legacy == null ? this::keys : legacy.keys(lockName);
    }

    private byte[][] arguments(String... arguments) {
        return bytes(concat(arguments, legacy == null ? NONE : legacy.arguments(null)));
    }

    static String[] concat(String[] first, String[] second) {
        String[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    static byte[][] bytes(String... texts) {
        byte[][] bytes = new byte[texts.length][];
        for (int i = 0; i < texts.length; i++) {
            bytes[i] = RedisCalls.bytes(texts[i]);
        }
        return bytes;
    }
}
