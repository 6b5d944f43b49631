package dev.joblock.redis;

import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisAccessor;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.RedisOperations;

/**
 * One call on one connection, with keys and values as bytes: the serializers of the host's template have no say. Every
 * failure leaves as a {@link StoreException}. Thread-safe.
 */
final class RedisCalls {

    private static final String NO_RECORD = " that is no lock record; choose another prefix or lock name";

    private final RedisOperations<?, ?> template;
    private final LockKeys keys;

    RedisCalls(RedisOperations<?, ?> template, String prefix) {
        this.template = Objects.requireNonNull(template);
        this.keys = new LockKeys(prefix);
    }

    /** What is done with the connection and the bytes of the lock's key. */
    interface Call<T> {
        T on(RedisConnection connection, byte[] key);
    }

    /** All keys of a lock, from the one that bears its name: the record's first. */
    interface Keys {
        byte[][] of(byte[] key);

        /** The type of what stands beside the record. */
        default DataType beside() {
            return DataType.STRING;
        }

        /** The end of the sentence about a value of another type beside the record. */
        default String wayOut() {
            return NO_RECORD;
        }
    }

    <T> T call(String what, String lockName, Call<T> call) {
        return call(what, lockName, key -> new byte[][] {key}, call);
    }

    <T> T call(String what, String lockName, Keys all, Call<T> call) {
        byte[] key = keys.key(lockName);
        try {
            return execute(connection -> call.on(connection, key));
        } catch (RuntimeException e) {
            if (StoreFaults.isWrongType(e)) {
                throw foreign(all, all.of(key), e);
            }
            throw StoreFaults.translate(what + " '" + keys.name(lockName) + "'", e);
        }
    }

    /** A key that is no lock's. */
    byte[] reserved(String name) {
        return keys.reserved(name);
    }

    /** A call on a key that is no lock's. */
    <T> T callReserved(String name, Call<T> call) {
        return call(name, keys.reserved(name), call);
    }

    /** A call on the key of a request. */
    <T> T callRequest(String name, Call<T> call) {
        return call("request '" + name + "'", keys.request(name), call);
    }

    private <T> T call(String name, byte[] key, Call<T> call) {
        try {
            return execute(connection -> call.on(connection, key));
        } catch (RuntimeException e) {
            throw StoreFaults.translate(name, e);
        }
    }

    Instant time() {
        try {
            return Instant.ofEpochMilli(execute(RedisCalls::time));
        } catch (RuntimeException e) {
            throw StoreFaults.translate("time", e);
        }
    }

    static long time(RedisConnection connection) {
        Long time;
        try {
            time = connection.serverCommands().time();
        } catch (InvalidDataAccessApiUsageException e) {
            // Spring Data 4.1 refuses it, unsent, on a connection that watches a key; as a plain command it goes
            // through.
            time = plainTime(connection);
        }
        return Objects.requireNonNull(time, "TIME gave no answer; the connection is in a transaction or pipeline");
    }

    private static @Nullable Long plainTime(RedisConnection connection) {
        List<?> time = (List<?>) connection.execute("TIME");
        if (time == null) {
            return null;
        }
        return Long.parseLong(text((byte[]) time.get(0))) * 1_000 + Long.parseLong(text((byte[]) time.get(1))) / 1_000;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * On a connection of its own where the template tells its factory: the template itself would join a transaction, a session
     * or a pipeline that the calling thread has open on that factory.
     */
    private <T> T execute(RedisCallback<T> callback) {
        RedisConnectionFactory factory =
                template instanceof RedisAccessor ? ((RedisAccessor) template).getConnectionFactory() : null;
        T result = factory == null ? template.execute(callback) : onOwnConnection(factory, callback);
        return Objects.requireNonNull(result, "Redis gave no answer; the connection is in a transaction or pipeline");
    }

    private static <T> @Nullable T onOwnConnection(RedisConnectionFactory factory, RedisCallback<T> callback) {
        RedisConnection connection = factory.getConnection();
        try {
            return callback.doInRedis(connection);
        } catch (RuntimeException e) {
            if (StoreFaults.isReadOnly(e)) {
                quit(connection);
            }
            throw e;
        } finally {
            connection.close();
        }
    }

    /**
     * A connection to a server that has become a replica is well and would be used for ever. Once the server has hung up, the
     * next call finds it broken and takes a new one, which leads to where the name or the proxy points by then.
     */
    private static void quit(RedisConnection connection) {
        try {
            connection.execute("QUIT");
        } catch (RuntimeException e) {
            // It is gone already, or the client library will not say QUIT: then it stays.
            return;
        }
    }

    /** Names the key that is of a wrong type. */
    private StoreException foreign(Keys all, byte[][] lockKeys, RuntimeException error) {
        String found = "the key '" + text(lockKeys[0]) + "' holds a value of another type" + NO_RECORD;
        try {
            for (int i = 0; i < lockKeys.length; i++) {
                byte[] key = lockKeys[i];
                DataType type = execute(connection -> connection.keyCommands().type(key));
                if (type != DataType.NONE && type != (i == 0 ? DataType.HASH : all.beside())) {
                    found = "the key '" + text(key) + "' holds a " + type.code() + (i == 0 ? NO_RECORD : all.wayOut());
                    break;
                }
            }
        } catch (RuntimeException e) {
            error.addSuppressed(e);
        }
        return new StoreException(StoreFault.FOREIGN_VALUE, false, found, error);
    }
}
