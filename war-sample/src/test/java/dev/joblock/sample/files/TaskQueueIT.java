package dev.joblock.sample.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.sample.TestDatabase;
import dev.joblock.sample.TestRedis;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TaskQueueIT {

    @RegisterExtension
    static final TestRedis REDIS = new TestRedis();

    private static final Instant CYCLE = Instant.parse("2026-11-30T12:00:00Z");
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final String key = "tasks-" + UUID.randomUUID();
    private TaskQueue queue;

    @BeforeEach
    void makeAQueue() {
        queue = new TaskQueue(REDIS.template(), key);
        queue.afterPropertiesSet();
        queue.afterPropertiesSet(); // as the next node does
    }

    @Test
    void eachTaskIsTakenByOneConsumer() {
        queue.put(CYCLE, List.of("a.csv", "b.csv", "c.csv"));

        List<FileTask> first = queue.take("node1/1", 2, AT_ONCE);
        List<FileTask> second = queue.take("node2/1", 9, AT_ONCE);

        assertThat(first).extracting(FileTask::name).containsExactly("a.csv", "b.csv");
        assertThat(second).extracting(FileTask::name).containsExactly("c.csv");
        assertThat(first.get(0).cycle()).isEqualTo(CYCLE);
        assertThat(queue.take("node1/1", 9, AT_ONCE)).isEmpty();
    }

    @Test
    void aTaskThatIsDoneIsNotTakenOver() {
        queue.put(CYCLE, List.of("a.csv"));
        queue.take("node1/1", 1, AT_ONCE).forEach(queue::done);

        assertThat(queue.takeOver("node2/1", 9, Duration.ZERO)).isEmpty();
    }

    @Test
    void aTaskThatIsNotDoneInTimeGoesToAnother() {
        queue.put(CYCLE, List.of("a.csv"));
        queue.take("node1/1", 1, AT_ONCE);

        assertThat(queue.takeOver("node2/1", 9, Duration.ofMinutes(1))).isEmpty();
        assertThat(queue.takeOver("node2/1", 9, Duration.ZERO)).singleElement().satisfies(task -> {
            assertThat(task.name()).isEqualTo("a.csv");
            assertThat(task.cycle()).isEqualTo(CYCLE);
            assertThat(task.takenFrom()).isEqualTo("node1/1");
        });
    }

    @Test
    void ofConsumersThatTakeOverAtOnceOneGetsTheTask() throws Exception {
        int consumers = 4;
        queue.put(CYCLE, List.of("a.csv"));
        queue.take("dead", 1, AT_ONCE);
        Duration timeout = Duration.ofMillis(300);
        // Until it has been idle for long enough; a longer pause does no harm.
        Thread.sleep(timeout.plusMillis(100).toMillis());
        CyclicBarrier together = new CyclicBarrier(consumers);
        ExecutorService threads = Executors.newFixedThreadPool(consumers);
        try {
            List<Future<List<FileTask>>> all = new ArrayList<>();
            for (int i = 0; i < consumers; i++) {
                String consumer = "node" + i;
                all.add(threads.submit(() -> {
                    together.await();
                    return queue.takeOver(consumer, 9, timeout);
                }));
            }
            int got = 0;
            for (Future<List<FileTask>> one : all) {
                got += one.get().size();
            }
            assertThat(got).isEqualTo(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void oldTasksAreForgottenUnlessOneWaitsToBeFinished() {
        queue.put(CYCLE, List.of("a.csv", "b.csv", "c.csv"));
        List<FileTask> taken = queue.take("node1/1", 2, AT_ONCE);
        queue.done(taken.get(0));
        Instant later = Instant.now().plusSeconds(60);

        queue.forget(later);
        assertThat(REDIS.template().opsForStream().size(key)).isEqualTo(2);

        queue.done(taken.get(1));
        queue.forget(later);
        assertThat(REDIS.template().opsForStream().size(key)).isZero();
    }

    @Test
    void aQueueThatRedisHasLostIsMadeAnew() {
        REDIS.template().delete(key);
        queue.createGroup();
        queue.put(CYCLE, List.of("a.csv"));

        assertThat(queue.take("node1/1", 1, AT_ONCE)).hasSize(1);
    }

    @Test
    void theCleanUpForgetsOldTasksAndRows() {
        TestDatabase database = new TestDatabase();
        Cycles cycles = new Cycles(database.source());
        cycles.queued("queueFiles", CYCLE, "node1", 520);
        cycles.queued("queueFilesUnguarded", CYCLE, "node1", 520);
        cycles.queued("queueFilesUnguarded", CYCLE, "node2", 520);
        assertThat(cycles.recent(9))
                .containsExactly(
                        new Cycle("queueFiles", CYCLE, 1, 520), new Cycle("queueFilesUnguarded", CYCLE, 2, 1040));
        queue.put(CYCLE, List.of("a.csv"));

        new CleanUp(database.source(), List.of(queue), 60).run();
        assertThat(cycles.recent(9)).hasSize(2);
        assertThat(REDIS.template().opsForStream().size(key)).isEqualTo(1);

        new CleanUp(database.source(), List.of(queue), -1).run();
        assertThat(cycles.recent(9)).isEmpty();
        assertThat(REDIS.template().opsForStream().size(key)).isZero();
    }

    @Test
    void theReportIntervalIsWhatStandsInRedisAtThatMoment() {
        ReportInterval interval = new ReportInterval(REDIS.template(), key + "-settings", "20s");
        assertThat(interval.read()).isEqualTo(Duration.ofSeconds(20));

        REDIS.template().opsForHash().put(key + "-settings", "intervaltime", "5");
        assertThat(interval.read()).isEqualTo(Duration.ofMinutes(5));

        REDIS.template().opsForHash().put(key + "-settings", "intervaltime", "7s");
        assertThat(interval.read()).isEqualTo(Duration.ofSeconds(7));

        REDIS.template().opsForHash().put(key + "-settings", "intervaltime", "-1");
        assertThat(interval.read()).isEqualTo(Duration.ofSeconds(20));
    }
}
