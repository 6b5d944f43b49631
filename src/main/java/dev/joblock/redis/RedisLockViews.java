package dev.joblock.redis;

import dev.joblock.LockMode;
import dev.joblock.LockView;
import dev.joblock.LockViews;
import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStringCommands.SetOption;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.types.Expiration;

/** Looks at locks in Redis. Thread-safe. */
public final class RedisLockViews implements LockViews {

    private final RedisCalls redis;
    private final LuaScript removeWithoutExpiry = new LuaScript("remove-without-expiry.lua");

    /**
     * Views on a template. The template's serializers are not used.
     *
     * @param template gives the connections
     * @param prefix the first part of every key, such as {@code joblock:}
     */
    public RedisLockViews(RedisOperations<?, ?> template, String prefix) {
        this.redis = new RedisCalls(template, prefix);
    }

    @Override
    public LockView view(String lockName, LockMode mode) {
        try {
            return redis.call("view", lockName, key -> keys(key, mode), (connection, key) -> {
                byte[][] keys = keys(key, mode);
                LockRecord record = record(connection, keys[0]);
                long now = RedisCalls.time(connection);
                return mode == LockMode.TOKEN
                        ? token(lockName, connection, keys[1], record, now)
                        : view(lockName, record, now);
            });
        } catch (StoreException e) {
            if (e.fault() == StoreFault.FOREIGN_VALUE) {
                return LockView.foreign(lockName, String.valueOf(e.getMessage()), null);
            }
            throw e;
        }
    }

    @Override
    public boolean removeWithoutExpiry(String lockName, String value) {
        Object answer = redis.call(
                "remove",
                lockName,
                (connection, key) -> removeWithoutExpiry.eval(
                        connection, ReturnType.VALUE, new byte[][] {key}, new byte[][] {RedisCalls.bytes(value)}));
        return RedisCalls.text((byte[]) answer).equals("1");
    }

    @Override
    public boolean isFirst(String request, String by, Duration window) {
        return redis.callRequest(
                request,
                (connection, key) -> Boolean.TRUE.equals(connection
                        .stringCommands()
                        .set(
                                key,
                                RedisCalls.bytes(by),
                                Expiration.milliseconds(window.toMillis()),
                                SetOption.ifAbsent())));
    }

    private static byte[][] keys(byte[] key, LockMode mode) {
        return mode == LockMode.TOKEN ? TokenStore.tokenKeys(key) : new byte[][] {key};
    }

    private static LockRecord record(RedisConnection connection, byte[] key) {
        Map<String, String> fields = new HashMap<>();
        Map<byte[], byte[]> read = connection.hashCommands().hGetAll(key);
        if (read != null) {
            read.forEach((name, value) -> fields.put(RedisCalls.text(name), RedisCalls.text(value)));
        }
        return new LockRecord(fields);
    }

    private static LockView view(String lockName, LockRecord record, long now) {
        if (!record.isOurs()) {
            String what = record.number("v") > LockRecord.LAYOUT
                    ? "the record is of layout " + record.number("v") + ", which this version does not know"
                    : "the key holds a hash that is no lock record; choose another prefix or lock name";
            return LockView.foreign(lockName, what, null);
        }
        return record.isLive(now)
                ? LockView.held(
                        lockName, record.run(now), record.text("owner"), Instant.ofEpochMilli(record.until(now)))
                : LockView.free(lockName);
    }

    /** In token mode the lock is the plain string; the record tells whose it is. */
    private static LockView token(
            String lockName, RedisConnection connection, byte[] plainKey, LockRecord record, long now) {
        byte[] read = connection.stringCommands().get(plainKey);
        String plain = read == null ? null : RedisCalls.text(read);
        if (plain != null && !record.isOwner(plain)) {
            return outsider(lockName, plain, connection.keyCommands().pTtl(plainKey));
        }
        return plain == null ? LockView.free(lockName) : view(lockName, record, now);
    }

    private static LockView outsider(String lockName, String plain, @Nullable Long left) {
        boolean endless = left != null && left == -1;
        return LockView.foreign(
                lockName,
                endless
                        ? "lock without expiry: the plain key holds '" + plain
                                + "' for ever, as an older version or another client left it; release it by hand"
                        : "another client holds the plain key with the value '" + plain + "' for " + left + " ms more",
                endless ? plain : null);
    }
}
