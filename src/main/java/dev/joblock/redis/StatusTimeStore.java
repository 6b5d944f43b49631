package dev.joblock.redis;

import dev.joblock.Durations;
import dev.joblock.Holder;
import dev.joblock.LegacyLock;
import dev.joblock.LockRequest;
import dev.joblock.LockStore;
import dev.joblock.StoreAnswer;
import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.core.RedisOperations;

/**
 * The store for servers and proxies where scripts are switched off: {@code WATCH}, read, decide in Java,
 * {@code MULTI}/{@code EXEC}, all on one connection. If another client changes the record in between, nothing is written
 * and the step is taken anew.
 *
 * <p>Redis commands used: {@code WATCH}, {@code HGETALL}, {@code TIME}, {@code MULTI}, {@code HMSET}/{@code HSET},
 * {@code HDEL}, {@code PEXPIRE}, {@code EXEC}, {@code UNWATCH}, {@code DISCARD}. Not on Redis Cluster: Spring Data's
 * cluster connection refuses {@code WATCH}.
 *
 * <p>Thread-safe. Keeps the same record as {@link HashTimestampStore}: nodes with either exclude one another.
 */
public final class StatusTimeStore implements LockStore {

    /** With n clients on one record at least one of them succeeds a round, so that n rounds serve them all. */
    private static final int ROUNDS = 64;

    private final RedisOperations<?, ?> template;
    private final String prefix;
    private final RedisCalls redis;
    private final ReplicaAcknowledgement replicas;
    private final @Nullable Legacy legacy;

    /**
     * A store on a template. The template's serializers are not used.
     *
     * @param template gives the connections
     * @param prefix the first part of every key, such as {@code joblock:}
     */
    public StatusTimeStore(RedisOperations<?, ?> template, String prefix) {
        this(template, prefix, ReplicaAcknowledgement.none());
    }

    /**
     * A store whose grants and renewals count once replicas have them.
     *
     * @param template gives the connections
     * @param prefix the first part of every key, such as {@code joblock:}
     * @param replicas how many replicas are waited for
     */
    public StatusTimeStore(RedisOperations<?, ?> template, String prefix, ReplicaAcknowledgement replicas) {
        this(template, prefix, replicas, null);
    }

    private StatusTimeStore(
            RedisOperations<?, ?> template, String prefix, ReplicaAcknowledgement replicas, @Nullable Legacy legacy) {
        this.template = template;
        this.prefix = prefix;
        this.redis = new RedisCalls(template, prefix);
        this.replicas = replicas;
        this.legacy = legacy;
    }

    @Override
    public LockStore withLegacy(LegacyLock lock) {
        return new StatusTimeStore(template, prefix, replicas, new Legacy(lock, prefix));
    }

    @Override
    public StoreAnswer acquire(LockRequest request) {
        return change(
                "acquire",
                request.lockName(),
                answer -> !answer.denial().isPresent(),
                (record, now, beside) -> LockRules.acquire(record, request, now, beside));
    }

    @Override
    public boolean renew(String lockName, Holder holder, Duration lease) {
        Durations.positive("lease of '" + lockName + "'", lease);
        return change(
                "renew",
                lockName,
                held -> held,
                (record, now, beside) -> LockRules.renew(record, holder, lease, now, beside));
    }

    @Override
    public boolean release(String lockName, Holder holder) {
        return change(
                "release",
                lockName,
                answer -> false,
                (record, now, beside) -> LockRules.release(record, holder, now, beside));
    }

    @Override
    public boolean unclaim(String lockName, Holder holder) {
        return change(
                "un-claim",
                lockName,
                answer -> false,
                (record, now, beside) -> LockRules.unclaim(record, holder, now, beside));
    }

    @Override
    public void cancel(String lockName, Holder holder) {
        change(
                "cancel",
                lockName,
                answer -> false,
                (record, now, beside) -> LockRules.cancel(record, holder, now, beside));
    }

    @Override
    public Instant time() {
        return redis.time();
    }

    private interface Rule<T> {
        Step<T> decide(LockRecord record, long now, Beside beside);
    }

    /** Changes the record; an answer that must outlive a failover counts once replicas have it. */
    private <T> T change(String what, String lockName, Predicate<T> replicated, Rule<T> rule) {
        RedisCalls.Keys keys = legacy == null ? key -> new byte[][] {key} : legacy.keys(lockName);
        return redis.call(what, lockName, keys, (connection, key) -> {
            for (int round = 0; round < ROUNDS; round++) {
                T answer = attempt(connection, lockName, keys.of(key), rule);
                if (answer != null) {
                    if (replicated.test(answer)) {
                        replicas.await(what, lockName, connection);
                    }
                    return answer;
                }
            }
            throw new StoreException(
                    StoreFault.CONTENDED,
                    false,
                    what + " '" + lockName + "': the record changed " + ROUNDS + " times while it was being written",
                    null);
        });
    }

    /** One round; null if the record changed under it. */
    private <T> @Nullable T attempt(RedisConnection connection, String lockName, byte[][] keys, Rule<T> rule) {
        byte[] key = keys[0];
        connection.watch(keys);
        Runnable leave = connection::unwatch;
        try {
            LockRecord record = new LockRecord(Legacy.fields(connection, key));
            LegacyBeside beside = legacy == null ? null : legacy.read(connection, lockName);
            // After the record: what it says was written earlier, however long this thread was held up in between.
            long now = RedisCalls.time(connection);
            Step<T> step = rule.decide(record, now, beside == null ? Beside.NOTHING : beside);
            if (step.change.isEmpty() && (beside == null || !beside.hasDenied())) {
                return step.answer;
            }
            leave = connection::discard;
            connection.multi();
            if (step.change.isEmpty()) {
                // Denied for what two keys hold together: true only if neither has changed meanwhile.
                connection.keyCommands().exists(key);
            } else {
                write(connection, key, step.change, Retention.ttl(step.change.applyTo(record), now));
                if (beside != null) {
                    write(connection, keys[1], beside.change, beside.ttl());
                }
            }
            List<Object> results = execute(connection, key);
            leave = () -> {};
            // A conflict is null on a raw connection and an empty list in a session; success holds PEXPIRE's answer.
            return results == null || results.isEmpty() ? null : step.answer;
        } finally {
            quietly(leave);
        }
    }

    /**
     * A write that is refused when it is queued makes EXEC say only that there was one. Why is asked for once more, by a write
     * that does nothing: an empty text put into the text at the key, where there is none.
     */
    private static @Nullable List<Object> execute(RedisConnection connection, byte[] key) {
        try {
            return connection.exec();
        } catch (RuntimeException e) {
            if (StoreFaults.isAborted(e)) {
                try {
                    connection.execute("SETRANGE", key, RedisCalls.bytes("0"), new byte[0]);
                } catch (RuntimeException reason) {
                    if (!StoreFaults.isWrongType(reason)) {
                        throw reason;
                    }
                }
            }
            throw e;
        }
    }

    // Spring Data asks for a map with arrays as keys; nothing is looked up in it.
    @SuppressWarnings("ArrayAsKeyOfSetOrMap")
    private static void write(RedisConnection connection, byte[] key, Change change, long ttl) {
        if (!change.toSet().isEmpty()) {
            Map<byte[], byte[]> hash = new HashMap<>();
            change.toSet().forEach((field, value) -> hash.put(RedisCalls.bytes(field), RedisCalls.bytes(value)));
            connection.hashCommands().hMSet(key, hash);
        }
        if (!change.toRemove().isEmpty()) {
            byte[][] fields = change.toRemove().stream().map(RedisCalls::bytes).toArray(byte[][]::new);
            connection.hashCommands().hDel(key, fields);
        }
        if (ttl > 0) {
            connection.keyCommands().pExpire(key, ttl);
        }
    }

    /** No watch and no open transaction may stay on a connection that goes back to a pool. */
    private static void quietly(Runnable leave) {
        try {
            leave.run();
        } catch (RuntimeException e) {
            // The connection is broken, or a refused EXEC has ended the transaction: there is nothing left to leave,
            // and
            // the exception that brought us here says more.
            return;
        }
    }
}
