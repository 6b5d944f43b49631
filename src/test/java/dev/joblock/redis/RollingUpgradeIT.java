package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.LockMode;
import dev.joblock.LockOutcome;
import dev.joblock.RecordedRun;
import dev.joblock.Slot;
import dev.joblock.engine.DefaultJobLockService;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A cluster of four nodes goes over to ours one by one, the old code in a process of its own. What ran is counted by the
 * bodies; slots are turned by hand.
 */
class RollingUpgradeIT {
    private static final String JOB = "watchFiles";
    private static final String KEY = "JOB_" + JOB;
    private static final int NODES = 4;
    /** Of O4; in minutes 0.05. What one node lags behind another in a round must be less. */
    private static final long INTERVAL = 3_000;

    @RegisterExtension
    final RedisExtension redis = RedisExtension.own();

    private final ExecutorService threads = Executors.newFixedThreadPool(NODES);
    private final List<RedisClient> clients = new ArrayList<>();
    private final List<DefaultJobLockService> nodes = new ArrayList<>();
    private final Queue<RecordedRun> abandoned = new ConcurrentLinkedQueue<>();
    private int slots;
    private String slot = "";

    @AfterEach
    void close() {
        nodes.forEach(DefaultJobLockService::close);
        clients.forEach(RedisClient::close);
        threads.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hash-timestamp", "status-time"})
    void o4RunsEverySlotOnce(String mode) throws Exception {
        redis.server().call("HSET", KEY, "status", "false", "time", "0");
        redis.server().call("HSET", "config", "intervaltime", "0.05");
        ours(policy -> {
            policy.setMode(mode);
            policy.setLegacy("O4");
            policy.setLegacyIntervalKey("config");
        });
        try (OldProcess old = new OldProcess(redis.server(), "O4", KEY, "config", NODES)) {
            for (int ours = 0; ours <= NODES; ours++) {
                for (int round = 0; round < 3; round++) {
                    Slot next = nextO4();
                    concurrently(old, next, NODES - ours, ours);
                    assertThat(runs())
                            .as("runs of slot %s with %s of ours", slots, ours)
                            .hasSize(1);
                }
            }
        }
        assertThat(abandoned).isEmpty();
        assertThat(redis.server().text("HGET", KEY, "status")).isEqualTo("false");
    }

    @Test
    void o4HolderThatDiesCostsOneMaxHold() throws Exception {
        redis.server().call("HSET", KEY, "status", "false", "time", "0");
        redis.server().call("HSET", "config", "intervaltime", "0.05");
        ours(policy -> {
            policy.setLegacy("O4");
            policy.setLegacyIntervalKey("config");
            policy.setLease("2s");
            policy.setMaxHold("10s");
        });
        try (OldProcess old = new OldProcess(redis.server(), "O4", KEY, "config", 1)) {
            nextO4();
            old.fire(slot, 1);
            assertThat(runs()).containsExactly("old0");
            old.kill();
        }
        Instant since = Instant.ofEpochMilli(Long.parseLong(redis.server().text("HGET", KEY, "time")));

        Denied denied = (Denied) fire(0, new CountDownLatch(0), next());
        assertThat(denied.reason()).isEqualTo(DenialReason.HELD);
        assertThat(denied.until()).contains(since.plusSeconds(10));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> now().isAfter(since.plusSeconds(10)));
        for (int i = 0; i < 2; i++) {
            Slot next = nextO4();
            alone(next);
            assertThat(runs()).hasSize(1);
        }
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !abandoned.isEmpty());
        assertThat(abandoned).hasSize(1);
        assertThat(abandoned.element().node()).isEqualTo("an older version of the lock (key '" + KEY + "')");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hash-timestamp", "status-time"})
    void o2AddsNoDoublesAndHasNoneWithoutOldNodes(String mode) throws Exception {
        ours(policy -> {
            policy.setMode(mode);
            policy.setLegacy("O2");
            policy.setLegacyTimeout("60s");
        });
        try (OldProcess old = new OldProcess(redis.server(), "O2", KEY, "60000", NODES)) {
            for (int ours = 0; ours < NODES; ours++) {
                int theirs = NODES - ours;
                for (int round = 0; round < 10; round++) {
                    Slot next = next();
                    concurrently(old, next, theirs, ours);
                    List<String> all = runs();
                    assertThat(all).as("somebody ran slot %s", slots).isNotEmpty();
                    assertThat(all.stream().filter(run -> run.startsWith("ours")))
                            .as("runs of ours in %s", all)
                            .hasSizeLessThanOrEqualTo(1);
                    if (ours > 0) {
                        inTurn(old, next(), theirs, ours);
                    }
                }
            }
        }
        for (int round = 0; round < 20; round++) {
            alone(next());
            assertThat(runs()).as("runs without old nodes").hasSize(1);
        }
        assertThat(redis.server().text("EXISTS", KEY)).isEqualTo("0");
    }

    /** One side asks while the other is at work: nobody gets in. */
    private void inTurn(OldProcess old, Slot next, int theirs, int ours) throws Exception {
        old.fire(slot, theirs);
        int before = runs().size();
        for (int i = 0; i < ours; i++) {
            assertThat(fire(i, new CountDownLatch(0), next).isGranted()).isFalse();
        }
        old.finish();
        assertThat(runs()).hasSize(before);

        Slot later = next();
        CountDownLatch end = new CountDownLatch(1);
        Future<LockOutcome> holder = threads.submit(() -> fire(0, end, later));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> runs().size() == 1);
        old.fire(slot, theirs);
        old.finish();
        end.countDown();
        assertThat(holder.get(60, TimeUnit.SECONDS).isGranted()).isTrue();
        assertThat(runs()).containsExactly("ours0");
    }

    /** All nodes ask at once; who got in works until all have asked. */
    private void concurrently(OldProcess old, Slot next, int theirs, int ours) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        List<Future<LockOutcome>> outcomes = new ArrayList<>();
        if (theirs > 0) {
            old.ask(slot, theirs);
        }
        CountDownLatch asked = new CountDownLatch(ours);
        for (int i = 0; i < ours; i++) {
            int node = i;
            outcomes.add(threads.submit(() -> {
                LockOutcome outcome = node(node).run(JobRun.slot(JOB, "lane", next), () -> {
                    redis.server().call("RPUSH", "runs:" + slot, "ours" + node);
                    asked.countDown();
                    await(end);
                });
                if (!outcome.isGranted()) {
                    asked.countDown();
                }
                return outcome;
            }));
        }
        await(asked);
        if (theirs > 0) {
            old.awaitAsked();
        }
        end.countDown();
        if (theirs > 0) {
            old.finish();
        }
        for (Future<LockOutcome> outcome : outcomes) {
            outcome.get(60, TimeUnit.SECONDS);
        }
        assertThat(nodes).allMatch(node -> node.awaitIdle(Duration.ofSeconds(60)));
    }

    private void alone(Slot next) throws Exception {
        CountDownLatch end = new CountDownLatch(0);
        List<Future<LockOutcome>> outcomes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            int node = i;
            outcomes.add(threads.submit(() -> fire(node, end, next)));
        }
        for (Future<LockOutcome> outcome : outcomes) {
            outcome.get(60, TimeUnit.SECONDS);
        }
        assertThat(nodes).allMatch(node -> node.awaitIdle(Duration.ofSeconds(60)));
    }

    private LockOutcome fire(int node, CountDownLatch end, Slot next) {
        return node(node).run(JobRun.slot(JOB, "lane", next), () -> {
            redis.server().call("RPUSH", "runs:" + slot, "ours" + node);
            await(end);
        });
    }

    /** The next slot: now, once Redis time has come past the last one's end. */
    private Slot next() {
        Instant last = now();
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> now().isAfter(last.plusMillis(2)));
        slots++;
        slot = Integer.toString(slots);
        Instant scheduled = now();
        return Slot.of(scheduled, scheduled.plusMillis(1), "by hand");
    }

    /** The same, once the old code's interval is over. */
    private Slot nextO4() {
        Instant over = Instant.ofEpochMilli(Long.parseLong(redis.server().text("HGET", KEY, "time")))
                .plusMillis(INTERVAL);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> now().isAfter(over));
        return next();
    }

    private void ours(Consumer<JobLockPolicy> settings) {
        for (int i = 0; i < NODES; i++) {
            RedisClient client = RedisClient.of(redis.server(), 4);
            clients.add(client);
            JobLockPolicy policy = new JobLockPolicy();
            policy.setJobs(JOB);
            policy.setLegacyKey("JOB_{job}");
            settings.accept(policy);
            JobLockListener listener = new JobLockListener() {
                @Override
                public void onAbandoned(JobLock lock, RecordedRun run) {
                    abandoned.add(run);
                }
            };
            DefaultJobLockService service = new DefaultJobLockService(
                    "ours" + i,
                    Duration.ofSeconds(30),
                    Map.of(
                            LockMode.HASH_TIMESTAMP,
                            new HashTimestampStore(client.template(), "joblock:"),
                            LockMode.STATUS_TIME,
                            new StatusTimeStore(client.template(), "joblock:")),
                    new JobLockPolicies(new JobLockPolicy(), List.of(policy)),
                    List.of(listener));
            // What loads a class or opens a connection is no matter of time.
            service.run(JobRun.exclusive("warm" + i), () -> {});
            nodes.add(service);
        }
    }

    private JobLockService node(int i) {
        return nodes.get(i);
    }

    private List<String> runs() {
        List<?> list = (List<?>) Objects.requireNonNull(redis.server().call("LRANGE", "runs:" + slot, "0", "-1"));
        return list.stream().map(String::valueOf).toList();
    }

    private Instant now() {
        List<?> time = (List<?>) Objects.requireNonNull(redis.server().call("TIME"));
        return Instant.ofEpochMilli(Long.parseLong(String.valueOf(time.get(0))) * 1_000
                + Long.parseLong(String.valueOf(time.get(1))) / 1_000);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
