package dev.joblock.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.joblock.DenialReason;
import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.LockOutcome;
import dev.joblock.testing.Logs;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A task that was denied is asked for again and runs late, on one node. A cron every five seconds. */
class LateTasksIT {
    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TASKS = "<task:scheduled-tasks scheduler=\"pool\">"
            + "<task:scheduled ref=\"job\" method=\"work\" cron=\"*/5 * * * * *\"/></task:scheduled-tasks>";

    private final String prefix = "late:" + UUID.randomUUID() + ":";

    private Node node(String retry) {
        return Node.start(
                redis.server(),
                prefix,
                Map.of("joblock.scheduling.tasks", "job.work", "joblock.retry", retry),
                Node.IMPORT,
                Node.POOL,
                Node.job("job"),
                TASKS);
    }

    @Test
    void taskThatWasHeldRunsLateOnOneNode() {
        try (Logs logs = Logs.of(TaskGuard.class);
                Node holder = Node.start(redis.server(), prefix, Map.of(), Node.IMPORT)) {
            // Before the others come, which may be at work at any moment.
            LockOutcome outcome =
                    holder.context.getBean(JobLockService.class).tryLock(JobRun.exclusive("task:job.work"));
            JobLock lock = ((Granted) outcome).lock();
            try (Node first = node("1m");
                    Node second = node("1m")) {
                await().atMost(PATIENCE)
                        .until(() ->
                                heldAt(first).anyMatch(slot -> heldAt(second).anyMatch(slot::equals)));

                lock.release();
                await().atMost(PATIENCE).until(() -> late(first, second).size() == 1);

                List<Node.Run> runs = runs(first, second);
                assertThat(runs).extracting(Node.Run::slot).doesNotHaveDuplicates();
                Node.Run late = late(first, second).get(0);
                assertThat(Stream.concat(heldAt(first), heldAt(second))).contains(late.slot());
                await().atMost(PATIENCE)
                        .until(() -> !logs.lines(Level.INFO, "ran in").isEmpty()
                                && !logs.lines(Level.INFO, "is asked for again").isEmpty());
                assertThat(first.recorder.unguarded).isEmpty();
                assertThat(second.recorder.unguarded).isEmpty();
            }
        }
    }

    private static Stream<Instant> heldAt(Node node) {
        return node.recorder.deniedSlots(DenialReason.HELD).stream();
    }

    private static List<Node.Run> runs(Node... nodes) {
        return Stream.of(nodes).flatMap(node -> node.recorder.runs.stream()).toList();
    }

    private static List<Node.Run> late(Node... nodes) {
        return runs(nodes).stream()
                .filter(run -> run.run().origin() == JobRun.Origin.RETRY)
                .toList();
    }
}
