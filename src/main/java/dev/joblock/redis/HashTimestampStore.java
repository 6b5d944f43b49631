package dev.joblock.redis;

import dev.joblock.Holder;
import dev.joblock.LockRequest;
import dev.joblock.LockStore;
import dev.joblock.StoreAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.RedisOperations;

/**
 * The store that changes a record by one Lua script a call: one round trip, no step that another client could come
 * between. Redis commands used: {@code EVALSHA}, {@code EVAL}; inside the scripts {@code TIME}, {@code HGETALL},
 * {@code HSET}, {@code HDEL}, {@code PEXPIRE}.
 *
 * <p>Thread-safe. Keeps the same record as {@link StatusTimeStore}: nodes with either exclude one another.
 */
public final class HashTimestampStore implements LockStore {

    private final RedisCalls redis;
    private final LuaScript acquire = new LuaScript("clock.lua", "record.lua", "acquire.lua");
    private final LuaScript renew = new LuaScript("clock.lua", "record.lua", "renew.lua");
    private final LuaScript release = new LuaScript("clock.lua", "record.lua", "release.lua");
    private final LuaScript unclaim = new LuaScript("clock.lua", "record.lua", "unclaim.lua", "unclaim-run.lua");
    private final LuaScript cancel = new LuaScript("clock.lua", "record.lua", "unclaim.lua", "cancel-run.lua");

    /**
     * A store on a template. The template's serializers are not used, nor is a transaction of the calling thread joined
     * where the template does not support transactions.
     *
     * @param template gives the connections
     * @param prefix the first part of every key, such as {@code joblock:}
     */
    public HashTimestampStore(RedisOperations<?, ?> template, String prefix) {
        this.redis = new RedisCalls(template, prefix);
    }

    @Override
    public StoreAnswer acquire(LockRequest request) {
        byte[][] arguments = LuaAcquire.arguments(request);
        Object answer = redis.call("acquire", request.lockName(), (connection, key) -> {
            arguments[0] = key;
            return acquire.eval(connection, ReturnType.MULTI, arguments);
        });
        return LuaAcquire.answer(request, (List<?>) answer);
    }

    @Override
    public boolean renew(String lockName, Holder holder, Duration lease) {
        return yes("renew", renew, lockName, holder.nonce(), Long.toString(lease.toMillis()));
    }

    @Override
    public boolean release(String lockName, Holder holder) {
        return yes("release", release, lockName, holder.nonce());
    }

    @Override
    public boolean unclaim(String lockName, Holder holder) {
        return yes("un-claim", unclaim, lockName, holder.nonce());
    }

    @Override
    public void cancel(String lockName, Holder holder) {
        yes("cancel", cancel, lockName, holder.nonce());
    }

    @Override
    public Instant time() {
        return redis.time();
    }

    private boolean yes(String what, LuaScript script, String lockName, String... arguments) {
        byte[][] all = new byte[arguments.length + 1][];
        for (int i = 0; i < arguments.length; i++) {
            all[i + 1] = RedisCalls.bytes(arguments[i]);
        }
        Object answer = redis.call(what, lockName, (connection, key) -> {
            all[0] = key;
            return script.eval(connection, ReturnType.VALUE, all);
        });
        return RedisCalls.text((byte[]) answer).equals("1");
    }
}
