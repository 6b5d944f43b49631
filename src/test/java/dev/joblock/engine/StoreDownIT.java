package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Denied;
import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.LockMode;
import dev.joblock.LockOutcome;
import dev.joblock.Slot;
import dev.joblock.StoreFault;
import dev.joblock.testing.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnection;

/** The service while Redis is away, silent or out of reach: asks are bounded, and what was begun is settled. */
@Execution(ExecutionMode.CONCURRENT)
class StoreDownIT {
    private static final Duration BUDGET = Duration.ofSeconds(1);
    private static final Duration SLACK = Duration.ofMillis(700);
    private static final Slot SLOT =
            Slot.of(Instant.parse("2026-10-25T01:30:00Z"), Instant.parse("2036-10-25T01:30:00Z"), "d");
    private static final JobRun JOB = JobRun.slot("job", "lane", SLOT);

    @AutoClose
    static final EngineLogs logs = new EngineLogs();

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void askOfASilentServerEndsWithTheBudgetAndWhatItBeganIsUndone(LockMode mode) {
        try (RedisServer redis = RedisServer.launch();
                RealNode node = RealNode.on(redis)
                        .mode(mode)
                        .budget(BUDGET)
                        .timeout(Duration.ofSeconds(20))
                        .open()
                        .warmed();
                RealNode other = RealNode.on(redis).id("n2").mode(mode).open()) {
            redis.pause();

            Denied denied = within(BUDGET, () -> node.service.tryLock(JOB));
            assertThat(denied.fault()).contains(StoreFault.TIMEOUT);
            redis.resume();

            // The ask lay in the socket and was carried out; the node has taken it back, and the slot can be had.
            Awaitility.await().atMost(Duration.ofSeconds(2)).until(() -> isFree(redis, mode));
            JobLock lock = other.grant(JOB);
            assertThat(lock.isHeld()).isTrue();
            lock.release();
            assertThat(node.service.tryLock(JOB).isGranted()).as("taken by now").isFalse();
            assertThat(node.service.size()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void releaseIsCompletedWhenASilentServerIsBackAndTheNextAskOfTheNodeWaitsForIt(LockMode mode) {
        try (RedisServer redis = RedisServer.launch();
                RealNode node = RealNode.on(redis)
                        .mode(mode)
                        .budget(Duration.ofMillis(600))
                        .timeout(Duration.ofMillis(300))
                        .open()
                        .warmed()) {
            JobLock lock = node.grant("job");
            redis.pause();

            within(Duration.ofMillis(600), () -> {
                lock.release();
                return Denied.storeDown(StoreFault.OTHER, "");
            });
            assertThat(lock.isHeld()).isFalse();
            Denied denied = within(Duration.ofMillis(600), () -> node.service.tryLock(JobRun.exclusive("job")));
            assertThat(denied.toString()).contains("this node's last release of the lock is not confirmed yet");
            assertThat(node.events.count("ended")).isZero();
            redis.resume();

            LockOutcome next = node.service.tryLock(JobRun.exclusive("job"), Duration.ofSeconds(10));
            assertThat(next.isGranted()).isTrue();
            assertThat(node.events.count("lost")).isZero();
            // Never "held": no ask was sent before the release.
            assertThat(node.events.heard()).noneMatch(event -> event.contains("held"));
            ((Granted) next).lock().release();
            assertThat(node.service.awaitIdle(Duration.ofSeconds(5))).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void serverThatIsGoneIsDeniedAtOnceAndUsedAgainWhenItIsBack(LockMode mode) {
        try (RedisServer redis = RedisServer.launch();
                RealNode node = RealNode.on(redis)
                        .mode(mode)
                        .budget(Duration.ofSeconds(3))
                        .open()) {
            fillPool(node, 8);
            redis.kill();

            for (int i = 0; i < 3; i++) {
                Denied denied = within(Duration.ofSeconds(3), () -> node.service.tryLock(JOB));
                assertThat(denied.fault().orElseThrow()).isIn(StoreFault.UNREACHABLE, StoreFault.DISCONNECTED);
            }
            redis.start();

            assertThat(node.service.tryLock(JOB).isGranted()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void restartThatNobodyNoticedCostsNoAskThoughAllPooledConnectionsAreStale(LockMode mode) {
        try (RedisServer redis = RedisServer.launch();
                RealNode node = RealNode.on(redis)
                        .mode(mode)
                        .budget(Duration.ofSeconds(5))
                        .pool(20, Duration.ofSeconds(1))
                        .open()) {
            fillPool(node, 20);
            redis.restart();

            assertThat(node.service.tryLock(JOB).isGranted()).isTrue();
            assertThat(node.events.count("denied")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void leaseOutlivesARestartThatIsShorterThanItself(LockMode mode) {
        try (RedisServer redis = RedisServer.launch("--appendonly", "yes", "--appendfsync", "always");
                RealNode node = RealNode.on(redis).mode(mode).lease("4s").open()) {
            JobLock lock = node.grant("job");
            fillPool(node, 8);

            redis.restart();
            awaitTime(redis, lock.since().plusMillis(5_000));

            assertThat(lock.isHeld()).isTrue();
            assertThat(node.events.count("lost")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void serverThatAcceptsAndNeverAnswersIsATimeOutWithinTheBudget(LockMode mode) throws IOException {
        try (ServerSocket hole = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RealNode node = RealNode.at("127.0.0.1", hole.getLocalPort())
                        .mode(mode)
                        .budget(Duration.ofMillis(500))
                        .open()) {
            for (int i = 0; i < 3; i++) {
                Denied denied = within(Duration.ofMillis(500), () -> node.service.tryLock(JOB));
                assertThat(denied.fault()).contains(StoreFault.TIMEOUT);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {200, 1_000, -1})
    void poolThatIsEmptyIsCalledSoWithinTheBudgetHoweverLongItLetsWait(long waitMillis) {
        try (RedisServer redis = RedisServer.launch();
                RealNode node = RealNode.on(redis)
                        .budget(BUDGET)
                        .pool(1, Duration.ofMillis(waitMillis))
                        .open()
                        .warmed()) {
            RedisConnection busy = node.takeConnection();

            Denied denied = within(BUDGET, () -> node.service.tryLock(JOB));

            assertThat(denied.fault()).contains(StoreFault.POOL_EMPTY);
            assertThat(node.service.size())
                    .as("nothing was sent, nothing is to be undone")
                    .isZero();
            busy.close();
            assertThat(node.service.tryLock(JOB).isGranted()).isTrue();
            assertThat(redis.text("HGET", "job", "owner")).isNotEmpty();
        }
    }

    @Test
    void socketThatHangsDoesNotKeepOtherLeasesFromBeingRenewed() {
        // Connections without a time-out, as some hosts have them; one of them hangs in a server that is halted for
        // good.
        try (RedisServer redis = RedisServer.launch();
                RealNode node = RealNode.on(redis)
                        .lease("3s")
                        .budget(Duration.ofMillis(300))
                        .timeout(Duration.ofMinutes(10))
                        .open()
                        .warmed()) {
            JobLock lock = node.grant("job");
            redis.pause();
            // Halted over one renewal, which hangs, and shorter than the lease.
            Awaitility.await()
                    .until(() -> node.service.tryLock(JobRun.exclusive("other")) instanceof Denied denied
                            && denied.fault().equals(Optional.of(StoreFault.TIMEOUT)));
            redis.resume();
            awaitTime(redis, lock.since().plusMillis(7_000));

            assertThat(lock.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void neverAreTwoLeasesValidAtOnceWhileTheServerIsHaltedNowAndThen(LockMode mode) {
        try (RedisServer redis = RedisServer.launch()) {
            List<RealNode> nodes = IntStream.range(0, 4)
                    .mapToObj(n -> RealNode.on(redis)
                            .id("n" + n)
                            .mode(mode)
                            .lease("600ms")
                            .budget(Duration.ofMillis(250))
                            .timeout(Duration.ofMillis(200))
                            .open()
                            .warmed())
                    .toList();
            Overlap overlap = new Overlap(nodes);
            try {
                overlap.runFor(Duration.ofSeconds(5), redis);
            } finally {
                nodes.forEach(RealNode::close);
            }
            assertThat(overlap.violations()).isEmpty();
            assertThat(overlap.grants()).isGreaterThan(20);
        }
    }

    private static void awaitTime(RedisServer redis, Instant later) {
        Awaitility.await().until(() -> {
            List<?> time = (List<?>) Objects.requireNonNull(redis.call("TIME"));
            return Long.parseLong(String.valueOf(time.get(0))) > later.getEpochSecond();
        });
    }

    private static boolean isFree(RedisServer redis, LockMode mode) {
        String record = mode == LockMode.TOKEN ? "{job}:joblock" : "job";
        String status = redis.text("HGET", record, "status");
        return !status.equals("true")
                && (mode != LockMode.TOKEN || redis.text("EXISTS", "job").equals("0"));
    }

    /** Asks for as many names at once as the pool has connections, so that it has that many idle ones afterwards. */
    private static void fillPool(RealNode node, int size) {
        List<RedisConnection> taken =
                Stream.generate(node::takeConnection).limit(size).toList();
        taken.forEach(RedisConnection::close);
    }

    private static Denied within(Duration budget, Supplier<LockOutcome> ask) {
        long begin = System.nanoTime();
        LockOutcome outcome = CompletableFuture.supplyAsync(ask).join();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(budget.plus(SLACK));
        return ManualEngine.denied(outcome);
    }
}
