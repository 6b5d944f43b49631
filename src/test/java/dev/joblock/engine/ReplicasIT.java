package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.LockMode;
import dev.joblock.LockRequest;
import dev.joblock.Slot;
import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import dev.joblock.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnection;

/** A grant counts once a replica has it: on a real master and its replica. */
class ReplicasIT {
    private static final Slot SLOT =
            Slot.of(Instant.parse("2026-10-25T01:30:00Z"), Instant.parse("2036-10-25T01:30:00Z"), "d");
    private static final JobRun JOB = JobRun.slot("job", "lane", SLOT);

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void grantThatNoReplicaHasIsTakenBackAndOneThatItHasIsKept(LockMode mode) {
        try (RedisServer master = RedisServer.launch();
                RedisServer replica = replicaOf(master);
                RealNode node = RealNode.on(master)
                        .mode(mode)
                        .replicas("1", "500ms")
                        .open()
                        .warmed()) {
            replica.pause();
            Denied denied = ManualEngine.denied(node.service.tryLock(JOB));
            assertThat(denied.fault()).contains(StoreFault.NOT_REPLICATED);
            assertThat(denied.toString()).contains("0 of 1 replicas acknowledged it within 500ms");

            replica.resume();
            awaitReplica(master);
            Awaitility.await().until(() -> node.service.size() == 0);
            node.grant(JOB).release();

            assertThat(ManualEngine.denied(node.service.tryLock(JOB)).other()).isPresent();
            awaitSame(master, replica);
        }
    }

    @Test
    void leaseWhoseRenewalsNoReplicaHasIsLost() {
        try (RedisServer master = RedisServer.launch();
                RedisServer replica = replicaOf(master);
                RealNode node = RealNode.on(master)
                        .lease("3s")
                        .replicas("all", "200ms")
                        .open()
                        .warmed()) {
            JobLock lock = node.grant("job");
            replica.pause();

            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !lock.isHeld());

            replica.resume();
            assertThat(node.events.heard()).anyMatch(event -> event.startsWith("lost job"));
        }
    }

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void repeatedAskOnAnotherConnectionWaitsForReplicasToo(LockMode mode) {
        try (RedisServer master = RedisServer.launch();
                RedisServer replica = replicaOf(master);
                RealNode node = RealNode.on(master)
                        .mode(mode)
                        .replicas("1", "300ms")
                        .open()
                        .warmed()) {
            LockRequest request = new LockRequest(
                    "job", JobRun.exclusive("job"), new Holder("n1", "nonce"), Duration.ofSeconds(30), true);
            node.store.acquire(request);
            replica.pause();
            try (RedisConnection first = node.takeConnection()) {
                assertThat(first.isClosed()).isFalse();
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> node.store.acquire(request))
                        .matches(e -> e.fault() == StoreFault.NOT_REPLICATED);
            }
            replica.resume();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"majority", "all", "1"})
    void masterWithoutReplicasGrantsNothing(String replicas) {
        try (RedisServer master = RedisServer.launch();
                RealNode node = RealNode.on(master).replicas(replicas, "100ms").open()) {
            Denied denied = ManualEngine.denied(node.service.tryLock(JOB));

            assertThat(denied.fault()).contains(StoreFault.NOT_REPLICATED);
        }
    }

    private static RedisServer replicaOf(RedisServer master) {
        RedisServer replica = RedisServer.launch("--replicaof", master.host(), Integer.toString(master.port()));
        awaitReplica(master);
        return replica;
    }

    private static void awaitReplica(RedisServer master) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> master.text("INFO", "replication").contains("state=online"));
    }

    private static void awaitSame(RedisServer master, RedisServer replica) {
        Awaitility.await().until(() -> replica.text("DBSIZE").equals(master.text("DBSIZE")));
    }
}
