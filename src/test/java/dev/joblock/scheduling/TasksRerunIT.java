package dev.joblock.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.engine.DefaultJobLockService;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A task that its node's death cut short runs again, once, on a node that lives. A cron every five seconds. */
class TasksRerunIT {
    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final String TASKS = "<task:scheduled-tasks scheduler=\"pool\">"
            + "<task:scheduled ref=\"job\" method=\"work\" cron=\"*/5 * * * * *\"/></task:scheduled-tasks>";

    private final String prefix = "rerun:" + UUID.randomUUID() + ":";
    private final List<Node> nodes = new ArrayList<>();

    /** Hangs where the test has it armed, as a run whose node dies does. */
    static final class Hanging extends Node.Job {
        private final CountDownLatch end = new CountDownLatch(1);
        private volatile boolean armed;
        private volatile boolean hangs;

        Hanging(Node.Recorder recorder, JobLockService service) {
            super(recorder, service);
        }

        @Override
        public void work() {
            boolean hang = armed;
            super.work();
            if (hang) {
                hangs = true;
                try {
                    assertThat(end.await(PATIENCE.toSeconds() * 3, TimeUnit.SECONDS))
                            .isTrue();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private Node node() {
        Node node = Node.start(
                redis.server(),
                prefix,
                Map.of("joblock.scheduling.tasks", "job.work", "joblock.rerun", "true", "joblock.lease", "3s"),
                Node.IMPORT,
                Node.POOL,
                Node.job("job").replace(Node.Job.class.getName(), Hanging.class.getName()),
                TASKS);
        nodes.add(node);
        return node;
    }

    @AfterEach
    void close() {
        nodes.forEach(node -> job(node).end.countDown());
        nodes.forEach(Node::close);
    }

    private static Hanging job(Node node) {
        return node.context.getBean(Hanging.class);
    }

    private static boolean wasDenied(Node node, Instant slot) {
        return node.recorder.denied.stream()
                .flatMap(run -> run.slot().stream())
                .anyMatch(denied -> denied.scheduled().equals(slot));
    }

    private List<Node.Run> runs() {
        return nodes.stream().flatMap(node -> node.recorder.runs.stream()).toList();
    }

    private List<Node.Run> reruns() {
        return runs().stream()
                .filter(run -> run.run().origin() == JobRun.Origin.RERUN)
                .toList();
    }

    @Test
    void oneSurvivorRunsTheTaskThatACrashCutShort() {
        for (int n = 0; n < 3; n++) {
            node();
        }
        nodes.forEach(node -> job(node).armed = true);
        await().atMost(PATIENCE).until(() -> nodes.stream().anyMatch(node -> job(node).hangs));
        Node dead = nodes.stream().filter(node -> job(node).hangs).findFirst().orElseThrow();
        List<Node> survivors = nodes.stream().filter(node -> node != dead).toList();
        survivors.forEach(node -> job(node).armed = false);
        Node.Run cut = dead.recorder.runs.get(dead.recorder.runs.size() - 1);
        await().atMost(PATIENCE).until(() -> survivors.stream().allMatch(node -> wasDenied(node, cut.slot())));
        // Past its first lease: the watchers have followed a renewal.
        await().atMost(PATIENCE)
                .until(() -> Instant.now().isAfter(cut.since().plus(LEASE).plusSeconds(1)));
        assertThat(reruns()).isEmpty();

        Instant crash = Instant.now();
        ((DefaultJobLockService) dead.context.getBean(JobLockService.class)).close();
        await().atMost(PATIENCE).until(() -> !reruns().isEmpty());
        Node.Run rerun = reruns().get(0);
        // The schedule goes on, and nobody runs it once more.
        await().atMost(PATIENCE)
                .until(() -> runs().stream()
                                .filter(run -> run.slot().isAfter(rerun.since()))
                                .count()
                        >= 2);

        assertThat(rerun.slot()).isEqualTo(cut.slot());
        assertThat(Duration.between(crash, rerun.since())).isLessThan(LEASE.plusSeconds(2));
        assertThat(reruns()).hasSize(1);
        assertThat(dead.recorder.runs).doesNotContain(rerun);
        assertThat(runs().stream().map(Node.Run::slot).filter(slot -> !slot.equals(cut.slot())))
                .doesNotHaveDuplicates();
        assertThat(runs().stream().map(Node.Run::slot).filter(cut.slot()::equals))
                .hasSize(2);
        assertThat(nodes).allMatch(node -> node.recorder.unguarded.isEmpty());
    }
}
