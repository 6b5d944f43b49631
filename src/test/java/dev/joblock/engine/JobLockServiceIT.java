package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.LockMode;
import dev.joblock.LockOutcome;
import dev.joblock.Slot;
import dev.joblock.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The service on a real Redis that is well. */
@Execution(ExecutionMode.CONCURRENT)
class JobLockServiceIT {
    private static final int NODES = 4;
    private static final int SLOTS = 200;

    @AutoClose
    static final EngineLogs logs = new EngineLogs();

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void ofFourNodesExactlyOneRunsEachOfTwoHundredSlots(LockMode mode) {
        Instant first = Instant.now().minusSeconds(3_600);
        List<RealNode> nodes = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(NODES);
        Map<String, AtomicInteger> outcomes = new TreeMap<>();
        try (RedisServer redis = RedisServer.launch()) {
            for (int n = 0; n < NODES; n++) {
                nodes.add(RealNode.on(redis)
                        .id("n" + n)
                        .mode(mode)
                        .budget(Duration.ofSeconds(20))
                        .open());
            }
            long lastToken = 0;
            for (int i = 0; i < SLOTS; i++) {
                Slot slot = Slot.of(first.plusSeconds(i), first.plusSeconds(i + 1), "every second");
                AtomicInteger runs = new AtomicInteger();
                AtomicInteger tokens = new AtomicInteger();
                List<CompletableFuture<LockOutcome>> asks = nodes.stream()
                        .map(node -> CompletableFuture.supplyAsync(
                                () -> node.service.run(JobRun.slot("job", "lane", slot), () -> {
                                    runs.incrementAndGet();
                                    tokens.incrementAndGet();
                                }),
                                threads))
                        .toList();
                for (CompletableFuture<LockOutcome> ask : asks) {
                    LockOutcome outcome = ask.join();
                    String kind =
                            outcome instanceof Denied denied ? denied.reason().name() : "GRANTED";
                    outcomes.computeIfAbsent(kind, key -> new AtomicInteger()).incrementAndGet();
                    if (outcome instanceof Granted granted) {
                        assertThat(granted.lock().fencingToken()).isGreaterThan(lastToken);
                        lastToken = granted.lock().fencingToken();
                    }
                }
                assertThat(runs).as("runs of slot %d", i).hasValue(1);
            }
            assertThat(outcomes.toString()).isEqualTo("{GRANTED=200, TAKEN=600}");
        } finally {
            nodes.forEach(RealNode::close);
            threads.shutdown();
        }
    }

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void runThatThrowsIsReleasedAndItsExceptionThrownOn(LockMode mode) {
        try (RedisServer redis = RedisServer.launch();
                RealNode node = RealNode.on(redis).mode(mode).open();
                RealNode other = RealNode.on(redis).id("n2").mode(mode).open()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> node.service.run(JobRun.exclusive("job"), () -> {
                        assertThat(other.service
                                        .tryLock(JobRun.exclusive("job"))
                                        .isGranted())
                                .isFalse();
                        throw new IllegalStateException("boom");
                    }))
                    .withMessage("boom");

            assertThat(other.service.tryLock(JobRun.exclusive("job")).isGranted())
                    .isTrue();
            Awaitility.await().until(() -> node.events.count("ended") == 1);
            assertThat(node.events.heard()).containsExactly("granted job", "ended job: boom");
        }
    }

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void jobLongerThanThreeLeasesKeepsItsLease(LockMode mode) {
        try (RedisServer redis = RedisServer.launch();
                RealNode node = RealNode.on(redis).mode(mode).lease("1500ms").open();
                RealNode other = RealNode.on(redis).id("n2").mode(mode).open()) {
            JobLock lock = node.grant("job");
            Instant threeLeases = lock.since().plusMillis(4_600);

            Awaitility.await().pollInterval(Duration.ofMillis(50)).until(() -> {
                assertThat(lock.isHeld()).isTrue();
                assertThat(other.service.tryLock(JobRun.exclusive("job")).isGranted())
                        .isFalse();
                return other.store.time().isAfter(threeLeases);
            });

            lock.release();
            assertThat(other.service.tryLock(JobRun.exclusive("job")).isGranted())
                    .isTrue();
            Awaitility.await().until(() -> node.events.count("ended") == 1);
            assertThat(node.events.heard()).containsExactly("granted job", "ended job");
        }
    }

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void lockWhoseKeyIsDeletedIsLostWithinARenewalAndTheKeyIsNotMadeAgain(LockMode mode) {
        try (RedisServer redis = RedisServer.launch();
                RealNode node = RealNode.on(redis).mode(mode).lease("3s").open()) {
            JobLock lock = node.grant("job");

            redis.call("FLUSHALL");
            long deleted = System.nanoTime();
            Awaitility.await().pollInterval(Duration.ofMillis(10)).until(() -> node.events.count("lost") == 1);

            Duration took = Duration.ofNanos(System.nanoTime() - deleted);
            assertThat(took).isLessThan(Duration.ofMillis(1_000 + 800));
            assertThat(lock.isHeld()).isFalse();
            Awaitility.await()
                    .during(Duration.ofMillis(1_500))
                    .atMost(Duration.ofSeconds(5))
                    .until(() -> redis.text("DBSIZE").equals("0"));
            lock.release();
            Awaitility.await().until(() -> node.events.count("ended") == 1);
            assertThat(redis.text("DBSIZE")).isEqualTo("0");
            assertThat(node.events.heard())
                    .containsExactly(
                            "granted job",
                            "lost job: the store knows of no lease of this holder any more: taken over, removed, or expired",
                            "ended job");
        }
    }

    @Test
    void tenThousandNamesLeaveNothingInTheService() {
        try (RedisServer redis = RedisServer.launch();
                RealNode node =
                        RealNode.on(redis).budget(Duration.ofSeconds(20)).open()) {
            IntStream.range(0, 8)
                    .mapToObj(thread -> CompletableFuture.runAsync(() -> {
                        for (int i = thread; i < 10_000; i += 8) {
                            assertThat(node.service
                                            .run(JobRun.exclusive("job" + i), () -> {})
                                            .isGranted())
                                    .isTrue();
                        }
                    }))
                    .toList()
                    .forEach(CompletableFuture::join);

            assertThat(redis.text("DBSIZE")).isEqualTo("10000");
            assertThat(node.service.size()).isZero();
        }
    }

    @Test
    void askIsOneCommandAndSoIsARelease() {
        try (RedisServer redis = RedisServer.launch();
                RealNode node = RealNode.on(redis).open()) {
            node.grant("warm").release();
            redis.call("CONFIG", "RESETSTAT");

            JobLock lock = node.grant("job");
            assertThat(calls(redis, "evalsha")).isEqualTo(1);
            lock.release();
            assertThat(calls(redis, "evalsha")).isEqualTo(2);
            assertThat(node.service.tryLock(JobRun.exclusive("job")).isGranted())
                    .isTrue();
            assertThat(node.service.tryLock(JobRun.exclusive("job")).isGranted())
                    .isFalse();
            assertThat(calls(redis, "evalsha")).isEqualTo(4);
            assertThat(calls(redis, "eval") + calls(redis, "ping") + calls(redis, "select"))
                    .isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void forgottenLockByNameEndsByItself(LockMode mode) {
        try (RedisServer redis = RedisServer.launch();
                RealNode node = RealNode.on(redis).mode(mode).lease("500ms").open();
                RealNode other = RealNode.on(redis).id("n2").mode(mode).open()) {
            assertThat(node.service.addJobLock("job")).isTrue();
            assertThat(other.service.addJobLock("job")).isFalse();
            other.service.releaseJobLock("job");

            assertThat(((Granted) other.service.tryLock(JobRun.exclusive("job"), Duration.ofSeconds(10)))
                            .lock()
                            .isHeld())
                    .isTrue();
            node.service.releaseJobLock("job");
            assertThat(ManualEngine.denied(node.service.tryLock(JobRun.exclusive("job")))
                            .reason())
                    .isEqualTo(DenialReason.HELD);
        }
    }

    private static long calls(RedisServer redis, String command) {
        return redis.text("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("^[^=]*calls=(\\d+).*", "$1")))
                .sum();
    }
}
