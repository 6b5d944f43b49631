package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockRequest;
import dev.joblock.LockStore;
import dev.joblock.testing.RedisExtension;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;

class StalledReaderIT {
    private static final Duration LEASE = Duration.ofSeconds(5);

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    @Test
    void nodeThatWasHeldUpBeforeItReadTheRecordDoesNotShortenALeaseGrantedMeanwhile() {
        try (RedisClient client = RedisClient.of(redis.server(), 4)) {
            LockStore other = new HashTimestampStore(client.template(), "");
            RedisTemplate<Object, Object> stalling = new RedisTemplate<>();
            stalling.setConnectionFactory(beforeWatch(client, () -> {
                Instant stall = other.time().plusMillis(1_500);
                Awaitility.await()
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> other.time().isAfter(stall));
                assertThat(other.acquire(request("n1")).denial()).isEmpty();
            }));
            stalling.afterPropertiesSet();

            assertThat(new StatusTimeStore(stalling, "").acquire(request("n2")).denial())
                    .isPresent();

            long until = Long.parseLong(redis.server().text("HGET", "job", "until"));
            long granted = Long.parseLong(redis.server().text("HGET", "job", "time"));
            assertThat(until - granted).isEqualTo(LEASE.toMillis());
        }
    }

    private static LockRequest request(String node) {
        return new LockRequest("job", JobRun.exclusive("job"), new Holder(node, node), LEASE, true);
    }

    private static RedisConnectionFactory beforeWatch(RedisClient client, Runnable step) {
        return (RedisConnectionFactory) proxy(RedisConnectionFactory.class, client.factory(), (method, result) -> {
            if (!method.equals("getConnection")) {
                return result.get();
            }
            return proxy(RedisConnection.class, result.get(), (command, answer) -> {
                if (command.equals("watch")) {
                    step.run();
                }
                return answer.get();
            });
        });
    }

    private interface Answer {
        Object get() throws Throwable;
    }

    private interface Around {
        Object call(String method, Answer answer) throws Throwable;
    }

    private static Object proxy(Class<?> type, Object target, Around around) {
        return Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> around.call(method.getName(), () -> {
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                }));
    }
}
