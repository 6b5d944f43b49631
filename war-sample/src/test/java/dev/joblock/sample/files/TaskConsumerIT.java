package dev.joblock.sample.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;

import dev.joblock.sample.TestDatabase;
import dev.joblock.sample.TestRedis;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.data.domain.Range;

class TaskConsumerIT {

    @RegisterExtension
    static final TestRedis REDIS = new TestRedis();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Instant CYCLE = Instant.parse("2026-11-30T12:00:00Z");
    private static final List<String> NAMES =
            IntStream.range(0, 100).mapToObj(i -> i + ".csv").toList();

    private final String key = "tasks-" + UUID.randomUUID();
    private final TestDatabase database = new TestDatabase();
    private final FileStates states = new FileStates(database.source(), database.transactionManager());
    private final ConcurrentLinkedQueue<String> watched = new ConcurrentLinkedQueue<>();
    private final FileWatcher watcher = mock(FileWatcher.class);
    private TaskQueue queue;
    private TaskConsumer node1;
    private TaskConsumer node2;

    @BeforeEach
    void twoNodes() throws IOException {
        doAnswer(call -> watched.add(call.<FileTask>getArgument(0).name()))
                .when(watcher)
                .watch(any(), any());
        queue = new TaskQueue(REDIS.template(), key);
        queue.createGroup();
        node1 = new TaskConsumer(queue, watcher, states, "node1", 2, 2_000);
        node2 = new TaskConsumer(queue, watcher, states, "node2", 2, 2_000);
    }

    @AfterEach
    void stop() {
        node1.stop();
        node2.stop();
    }

    @Test
    void eachTaskIsDoneByOneOfThem() {
        node1.start();
        node2.start();
        queue.put(CYCLE, NAMES);

        awaitNothingPending(NAMES.size());
        assertThat(watched).containsExactlyInAnyOrderElementsOf(NAMES);
        node1.stop();
        assertThat(node1.isRunning()).isFalse();
    }

    @Test
    void aTaskThatFailsOnOneNodeIsDoneByAnother() throws IOException {
        doThrow(new IOException("no such disk")).when(watcher).watch(any(), eq("node1"));
        node1.start();
        queue.put(CYCLE, List.of("a.csv"));
        await().atMost(PATIENCE).until(() -> pending() == 1);
        node1.stop();
        node2.start();

        awaitNothingPending(1);
        assertThat(watched).containsExactly("a.csv");
        assertThat(database.count("taken_over WHERE node = 'node2' AND from_node LIKE 'node1/%'"))
                .isEqualTo(1);
    }

    @Test
    void whenRedisHasLostTheQueueTheyGoOn() {
        node1.start();
        queue.put(CYCLE, List.of("a.csv"));
        awaitNothingPending(1);
        REDIS.template().delete(key);
        queue.put(CYCLE, List.of("b.csv"));

        awaitNothingPending(2);
        assertThat(watched).containsExactly("a.csv", "b.csv");
    }

    private void awaitNothingPending(int done) {
        await().atMost(PATIENCE).until(() -> watched.size() >= done && pending() == 0);
    }

    private long pending() {
        return REDIS.template()
                .opsForStream()
                .pending(key, "watchers", Range.unbounded(), 1_000)
                .size();
    }
}
