package dev.joblock.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.DenialReason;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.engine.DefaultJobLockService;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A slot of a task that was denied while Redis was away runs once when it is back. A cron every twenty seconds. */
class TasksRetryIT {
    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own("--appendonly", "yes");

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String TASKS = "<task:scheduled-tasks scheduler=\"pool\">"
            + "<task:scheduled ref=\"job\" method=\"work\" cron=\"*/20 * * * * *\"/></task:scheduled-tasks>";

    private final String prefix = "retry:" + UUID.randomUUID() + ":";
    private final List<Node> nodes = new ArrayList<>();

    private void node() {
        nodes.add(Node.start(
                redis.server(),
                prefix,
                Map.of("joblock.scheduling.tasks", "job.work", "joblock.retry", "5m", "joblock.ask-budget", "1s"),
                Node.IMPORT,
                Node.POOL,
                Node.job("job"),
                TASKS));
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
    }

    /** The slots that a node was denied because of Redis. */
    private static Set<Instant> away(Node node) {
        return node.recorder.deniedSlots(DenialReason.STORE_DOWN);
    }

    /** The slots that all nodes were denied because of Redis. */
    private List<Instant> away() {
        return away(nodes.get(0)).stream()
                .filter(slot -> nodes.stream().allMatch(node -> away(node).contains(slot)))
                .sorted()
                .toList();
    }

    private List<Node.Run> runs() {
        return nodes.stream().flatMap(node -> node.recorder.runs.stream()).toList();
    }

    private List<Node.Run> runs(Instant slot) {
        return runs().stream().filter(run -> run.slot().equals(slot)).toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSlotThatRedisWasAwayAtRunsOnceWhenItIsBack(boolean silent) {
        for (int n = 0; n < 3; n++) {
            node();
        }
        await().atMost(PATIENCE).until(() -> !runs().isEmpty());
        if (silent) {
            redis.server().pause();
        } else {
            redis.server().kill();
        }
        await().atMost(PATIENCE).until(() -> !away().isEmpty());
        List<Instant> away = away();
        // The newest, should this machine be so slow that there are two: it takes the place of one before it.
        Instant slot = away.get(away.size() - 1);
        assertThat(runs(slot)).isEmpty();
        if (silent) {
            redis.server().resume();
        } else {
            redis.server().start();
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(runs(slot))
                        .as(() -> "runs " + runs() + ", denied "
                                + nodes.stream()
                                        .map(node -> node.recorder.denied + " " + node.recorder.denials)
                                        .toList())
                        .isNotEmpty());
        // Whoever else would run it has been told by now that it is taken.
        await().atMost(PATIENCE)
                .until(() -> nodes.stream()
                        .allMatch(node ->
                                ((DefaultJobLockService) node.context.getBean(JobLockService.class)).pendingRuns()
                                        == 0));

        assertThat(runs(slot))
                .singleElement()
                .satisfies(run -> assertThat(run.run().origin()).isEqualTo(JobRun.Origin.RETRY));
        assertThat(runs().stream().map(Node.Run::slot)).doesNotHaveDuplicates();
        assertThat(nodes).allMatch(node -> node.recorder.unguarded.isEmpty());
    }
}
