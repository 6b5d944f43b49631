package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Denied;
import dev.joblock.Granted;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LockMode;
import dev.joblock.LockOutcome;
import dev.joblock.LockStore;
import dev.joblock.StoreFault;
import dev.joblock.engine.DefaultJobLockService;
import dev.joblock.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnection;

/** A server becomes a replica behind an address that leads to another one from then on; connections in the pool stay. */
class DemotedServerIT {

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void poolDropsItsConnectionsToADemotedServerAndTheNextAskReachesTheOther(LockMode mode) {
        try (RedisServer first = RedisServer.launch();
                RedisServer second = RedisServer.launch();
                FaultProxy address = new FaultProxy(first);
                RedisClient client = RedisClient.of("127.0.0.1", address.port(), 8, Duration.ofSeconds(5));
                DefaultJobLockService service = service(mode, client)) {
            fillPool(client);
            release(service.tryLock(JobRun.exclusive("before")));

            first.call("REPLICAOF", "127.0.0.1", "1");
            LockOutcome denied = service.tryLock(JobRun.exclusive("job"));
            assertThat(denied).isInstanceOf(Denied.class);
            assertThat(((Denied) denied).fault()).contains(StoreFault.READONLY);
            address.pointTo(second);

            release(service.tryLock(JobRun.exclusive("job")));
            assertThat(second.text("EXISTS", mode == LockMode.TOKEN ? "{job}:joblock" : "job"))
                    .isEqualTo("1");
        }
    }

    private static DefaultJobLockService service(LockMode mode, RedisClient client) {
        LockStore store = switch (mode) {
            case HASH_TIMESTAMP -> new HashTimestampStore(client.template(), "");
            case STATUS_TIME -> new StatusTimeStore(client.template(), "");
            case TOKEN -> new TokenStore(client.template(), "");
        };
        JobLockPolicy policy = new JobLockPolicy();
        policy.setMode(mode.toString());
        return new DefaultJobLockService(
                "n1", Duration.ofSeconds(10), Map.of(mode, store), new JobLockPolicies(policy, List.of()), List.of());
    }

    private static void release(LockOutcome outcome) {
        assertThat(outcome).isInstanceOf(Granted.class);
        ((Granted) outcome).lock().release();
    }

    /** Leaves eight connections in the pool. */
    private static void fillPool(RedisClient client) {
        List<RedisConnection> taken = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            taken.add(client.busy());
        }
        taken.forEach(RedisConnection::close);
    }
}
