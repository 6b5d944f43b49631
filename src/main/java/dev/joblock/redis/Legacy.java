package dev.joblock.redis;

import dev.joblock.LegacyLock;
import dev.joblock.LockRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.connection.RedisConnection;

/** How a hand-written lock is reached beside ours: its keys, its script, what is handed to that. Immutable, thread-safe. */
final class Legacy {

    private final LegacyLock lock;

    /**
     * A hand-written lock beside the locks of a prefix.
     *
     * @throws IllegalArgumentException if it has the key of ours
     */
    Legacy(LegacyLock lock, String prefix) {
        if (lock.key("job").equals(new LockKeys(prefix).name("job"))) {
            throw new IllegalArgumentException("The " + lock + " has the keys of our own locks, whose prefix is '"
                    + prefix + "'; set another 'joblock.prefix'");
        }
        this.lock = lock;
    }

    String script() {
        return lock.layout() == LegacyLock.Layout.O2 ? "legacy-o2.lua" : "legacy-o4.lua";
    }

    /** The record's key, that of the hand-written lock, and that of its interval where it is read. */
    RedisCalls.Keys keys(String lockName) {
        return new RedisCalls.Keys() {
            @Override
            public byte[][] of(byte[] key) {
                List<byte[]> keys = new ArrayList<>();
                keys.add(key);
                keys.add(RedisCalls.bytes(lock.key(lockName)));
                lock.intervalKey(lockName).map(RedisCalls::bytes).ifPresent(keys::add);
                return keys.toArray(new byte[0][]);
            }

            @Override
            public DataType beside() {
                return DataType.HASH;
            }

            @Override
            public String wayOut() {
                return " that is no hand-written lock; let legacyKey and legacyIntervalKey say what the old code uses";
            }
        };
    }

    /** What the script is given after the arguments that all have. */
    String[] arguments(@Nullable LockRequest request) {
        String maxHold = Long.toString(lock.maxHold().toMillis());
        if (lock.layout() == LegacyLock.Layout.O2) {
            long timeout = request == null ? 0 : LegacyO2.timeout(lock, request.run());
            return new String[] {lock.field(0), Long.toString(timeout), maxHold};
        }
        String interval = Long.toString(lock.interval().map(Duration::toMillis).orElse(0L));
        return new String[] {lock.field(0), lock.field(1), interval, lock.intervalField(), maxHold};
    }

    LegacyBeside read(RedisConnection connection, String lockName) {
        String key = lock.key(lockName);
        Map<String, String> fields = fields(connection, RedisCalls.bytes(key));
        return lock.layout() == LegacyLock.Layout.O2
                ? new LegacyO2(lock, key, fields)
                : new LegacyO4(lock, lockName, fields, minutes(connection, lockName));
    }

    private @Nullable String minutes(RedisConnection connection, String lockName) {
        Optional<String> key = lock.intervalKey(lockName);
        if (!key.isPresent()) {
            return null;
        }
        byte[] minutes =
                connection.hashCommands().hGet(RedisCalls.bytes(key.get()), RedisCalls.bytes(lock.intervalField()));
        return minutes == null ? null : RedisCalls.text(minutes);
    }

    static Map<String, String> fields(RedisConnection connection, byte[] key) {
        Map<byte[], byte[]> hash = connection.hashCommands().hGetAll(key);
        Map<String, String> fields = new HashMap<>();
        if (hash != null) {
            hash.forEach((field, value) -> fields.put(RedisCalls.text(field), RedisCalls.text(value)));
        }
        return fields;
    }
}
