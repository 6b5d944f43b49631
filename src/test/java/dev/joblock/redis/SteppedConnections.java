package dev.joblock.redis;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisHashCommands;
import org.springframework.data.redis.connection.RedisServerCommands;

/**
 * Connections to a real Redis that stop before each command by which other clients can be met: WATCH, HGETALL, TIME and EXEC.
 * What lies between MULTI and EXEC is only queued. The time is not the server's but one that is turned by hand.
 */
final class SteppedConnections {
    private final RedisConnectionFactory factory;
    private final SteppedThread thread;
    private final LongSupplier clock;
    private final boolean watches;
    private volatile long lastTime;
    private volatile int refused;

    SteppedConnections(RedisConnectionFactory factory, SteppedThread thread, LongSupplier clock, boolean watches) {
        this.factory = factory;
        this.thread = thread;
        this.clock = clock;
        this.watches = watches;
    }

    RedisConnectionFactory factory() {
        return proxy(RedisConnectionFactory.class, factory, (method, arguments) -> {
            Object result = invoke(factory, method, arguments);
            return result instanceof RedisConnection connection ? stepped(connection) : result;
        });
    }

    /** The time that was read last. */
    long lastTime() {
        return lastTime;
    }

    /** How often EXEC was refused, because the key had been written since it was watched. */
    int refused() {
        return refused;
    }

    private RedisConnection stepped(RedisConnection connection) {
        return proxy(RedisConnection.class, connection, (method, arguments) -> switch (method.getName()) {
            case "watch" -> {
                thread.stop();
                yield watches ? invoke(connection, method, arguments) : null;
            }
            case "exec" -> {
                thread.stop();
                List<?> results = (List<?>) invoke(connection, method, arguments);
                refused += results == null || results.isEmpty() ? 1 : 0;
                yield results;
            }
            case "execute" -> {
                if (!"TIME".equals(Objects.requireNonNull(arguments)[0])) {
                    yield invoke(connection, method, arguments);
                }
                long time = time();
                yield List.of(bytes(time / 1_000), bytes(time % 1_000 * 1_000));
            }
            case "hashCommands" -> stepped(connection.hashCommands());
            case "serverCommands" -> stepped(connection.serverCommands());
            default -> invoke(connection, method, arguments);
        });
    }

    private RedisHashCommands stepped(RedisHashCommands commands) {
        return proxy(RedisHashCommands.class, commands, (method, arguments) -> {
            if (method.getName().equals("hGetAll")) {
                thread.stop();
            }
            return invoke(commands, method, arguments);
        });
    }

    private RedisServerCommands stepped(RedisServerCommands commands) {
        return proxy(
                RedisServerCommands.class,
                commands,
                (method, arguments) -> method.getName().equals("time") ? time() : invoke(commands, method, arguments));
    }

    private long time() {
        thread.stop();
        lastTime = clock.getAsLong();
        return lastTime;
    }

    private static byte[] bytes(long number) {
        return RedisCalls.bytes(Long.toString(number));
    }

    private interface Handler {
        @Nullable
        Object handle(Method method, Object @Nullable [] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, T target, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> handler.handle(method, arguments)));
    }

    private static @Nullable Object invoke(Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw Objects.requireNonNullElse(e.getCause(), e);
        }
    }
}
