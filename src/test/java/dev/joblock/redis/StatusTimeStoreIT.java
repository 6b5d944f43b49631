package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockStore;
import dev.joblock.StoreAnswer;
import dev.joblock.testing.RedisServer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The contract on the store that watches, reads, decides and writes, and what it leaves on its connections: nothing. */
class StatusTimeStoreIT extends LockStoreContract {

    @Override
    public LockStore open(RedisOperations<?, ?> template, String prefix) {
        return new StatusTimeStore(template, prefix);
    }

    @Override
    public String decisiveCommand() {
        return "EXEC";
    }

    @Test
    void everyGrantRunsFromWatchToExecOnOneConnection() {
        try (RedisServer server = RedisServer.launch();
                RedisClient client = RedisClient.of(server, 8);
                CommandLog log = new CommandLog(server)) {
            LockStore store = open(client.template(), "wire:");
            List<CommandLog.Command> commands = log.during(() -> contend(store));

            Map<String, String> open = new HashMap<>();
            int grants = 0;
            for (CommandLog.Command command : commands) {
                String before = open.getOrDefault(command.client(), "");
                String state = next(before, command);
                open.put(command.client(), state);
                grants += command.name().equals("EXEC") ? 1 : 0;
            }
            assertThat(open.values()).as("connections at the end").containsOnly("");
            assertThat(grants).isPositive();
        }
    }

    @Test
    void usesNoScript() {
        try (RedisServer server = RedisServer.launch()) {
            server.call("ACL", "SETUSER", "default", "-@scripting");
            try (RedisClient client = RedisClient.of(server, 2)) {
                LockStore store = open(client.template(), "plain:");
                Holder holder = holder("n1");
                Asks.grant(store, hourly(10), holder);
                assertThat(store.renew(LOCK, holder, Asks.LEASE)).isTrue();
                assertThat(store.unclaim(LOCK, holder)).isTrue();
                store.cancel(LOCK, holder);
                Asks.complete(store, hourly(10), "n2");
            }
        }
    }

    @Test
    void denialLeavesNoWatchOnItsConnection() {
        assertConnectionIsClean(store -> {
            Asks.grant(store, hourly(10), holder("n1"));
            Asks.deny(store, hourly(10), holder("n2"));
        });
    }

    @Test
    void refusedCallsLeaveNoWatchOnTheirConnection() {
        assertConnectionIsClean(store -> {
            assertThat(store.release(LOCK, holder("n1"))).isFalse();
            assertThat(store.renew(LOCK, holder("n1"), Asks.LEASE)).isFalse();
            assertThat(store.unclaim(LOCK, holder("n1"))).isFalse();
        });
    }

    @Test
    void foreignValueLeavesNoWatchOnItsConnection() {
        redis().call("SET", key(), "leftover");
        assertConnectionIsClean(store -> Calls.refusal(store, hourly(10)));
    }

    /** The pool of Jedis ends a watch by itself; another one may not. */
    @Test
    void watchIsEndedBeforeTheConnectionIsGivenBack() {
        try (RedisClient client = RedisClient.of(redis(), 1);
                RedisConnection only = client.factory().getConnection()) {
            RedisTemplate<Object, Object> template = new RedisTemplate<>();
            template.setConnectionFactory(giving(client.factory(), only));
            template.afterPropertiesSet();
            LockStore store = open(template, prefix());
            Asks.grant(store, hourly(10), holder("n1"));
            List<Runnable> calls = List.of(
                    () -> Asks.deny(store, hourly(10), holder("n2")),
                    () -> Asks.deny(store, manual(), holder("n2")),
                    () -> store.release(LOCK, holder("n2")),
                    () -> store.renew(LOCK, holder("n2"), Asks.LEASE),
                    () -> store.unclaim(LOCK, holder("n2")),
                    () -> store.cancel(LOCK, holder("n2")));
            for (Runnable call : calls) {
                call.run();
                redis().call("HSET", key(), "foreign", "v");

                only.multi();
                only.keyCommands().exists(RedisCalls.bytes(key()));
                assertThat(only.exec()).hasSize(1);
            }
        }
    }

    @Test
    void recordHoldsStatusAndTime() {
        long since = grant(manual(), holder("n1")).since().toEpochMilli();

        assertThat(redis().text("HGET", key(), "status")).isNotEmpty();
        assertThat(redis().text("HGET", key(), "time")).isEqualTo(Long.toString(since));
    }

    /** Only the one connection of the pool can have been used; a watch on it would fail the host's transaction. */
    private void assertConnectionIsClean(Consumer<LockStore> calls) {
        try (RedisClient client = RedisClient.of(redis(), 1);
                CommandLog log = new CommandLog(redis())) {
            LockStore store = open(client.template(), prefix());
            List<CommandLog.Command> commands = log.during(() -> calls.accept(store));
            redis().call("HSET", prefix() + "foreign", "f", "v");
            if (redis().text("TYPE", key()).equals("string")) {
                redis().call("APPEND", key(), "x");
            } else {
                redis().call("HSET", key(), "foreign", "v");
            }
            StringRedisTemplate host = new StringRedisTemplate(client.factory());

            List<Object> results = host.execute(new SessionCallback<@Nullable List<Object>>() {
                @Override
                public <K, V> List<Object> execute(RedisOperations<K, V> session) throws DataAccessException {
                    session.multi();
                    host.opsForHash().put(prefix() + "host", "field", "value");
                    return session.exec();
                }
            });

            assertThat(results).hasSize(1);
            int watching = 0;
            for (CommandLog.Command command : commands) {
                switch (command.name()) {
                    case "WATCH" -> watching++;
                    case "EXEC", "DISCARD", "UNWATCH" -> watching = 0;
                    default -> {}
                }
            }
            assertThat(watching).as("watches without an end in %s", commands).isZero();
        }
    }

    /** A factory that gives one connection to everybody and takes none back. */
    private static RedisConnectionFactory giving(RedisConnectionFactory factory, RedisConnection only) {
        RedisConnection kept = proxy(
                RedisConnection.class,
                (self, method, args) -> method.getName().equals("close") ? null : invoke(only, method, args));
        return proxy(
                RedisConnectionFactory.class,
                (self, method, args) ->
                        method.getName().equals("getConnection") ? kept : invoke(factory, method, args));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object invoke(Object target, Method method, @Nullable Object @Nullable [] args)
            throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private void contend(LockStore store) {
        try {
            Contest.play(
                    8,
                    50,
                    round -> {},
                    (round, player) -> {
                        Holder holder = holder("n" + player);
                        StoreAnswer answer = Asks.ask(store, JobRun.exclusive(LOCK), holder);
                        if (answer.denial().isEmpty()) {
                            store.release(LOCK, holder);
                        }
                        return answer;
                    },
                    (round, answers) -> assertThat(Contest.winners(answers)).isNotEmpty());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** What a connection is in the middle of after a command; the empty text is nothing. */
    private static String next(String before, CommandLog.Command command) {
        Set<String> writes = Set.of("HSET", "HMSET", "HDEL", "DEL", "PEXPIRE", "PEXPIREAT", "EXPIRE", "EXPIREAT");
        switch (command.name()) {
            case "WATCH" -> {
                assertThat(before).as("before WATCH").isEmpty();
                return "watching";
            }
            case "MULTI" -> {
                assertThat(before).as("before MULTI").isEqualTo("watching");
                return "multi";
            }
            case "EXEC" -> {
                assertThat(before).as("before EXEC").isEqualTo("multi");
                return "";
            }
            case "UNWATCH", "DISCARD" -> {
                return "";
            }
            default -> {
                if (writes.contains(command.name())) {
                    assertThat(before).as("before %s", command.name()).isEqualTo("multi");
                }
                return before;
            }
        }
    }
}
