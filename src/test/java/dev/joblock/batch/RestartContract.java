package dev.joblock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Restarts of one failed instance, which Batch 6 by itself lets run as often as they are asked for. */
abstract class RestartContract extends Cluster {

    @Test
    void aFailedInstanceThatFourThreadsRestartRunsOnce() throws Throwable {
        Host.Node n1 = start("n1", host().job("invoice").launcher("").operator());
        Host.Node n2 = start("n2", host().job("invoice").launcher("").operator());
        work.fail(true);
        long failed = Batch.id(n1.run("invoice", Batch.parameters("date", "today")));
        work.fail(false);
        work.hold();

        race(List.of(n1, n1, n2, n2), node -> node.operate("restart", failed));

        assertThat(work.runs).hasValue(2);
        assertThat(database.executions("STATUS = 'COMPLETED'")).isEqualTo(1);
        assertThat(database.executions()).isEqualTo(2);
        assertThat(database.instances()).isEqualTo(1);
    }

    @Test
    void aFailedInstanceThatFourLaunchersRunAgainRunsOnce() throws Throwable {
        Host.Node n1 = start("n1", host().job("invoice").launcher(""));
        Host.Node n2 = start("n2", host().job("invoice").launcher(""));
        work.fail(true);
        n1.run("invoice", Batch.parameters("date", "today"));
        work.fail(false);
        work.hold();

        race(List.of(n1, n1, n2, n2), node -> node.run("invoice", Batch.parameters("date", "today")));

        assertThat(work.runs).hasValue(2);
        assertThat(database.executions("STATUS = 'COMPLETED'")).isEqualTo(1);
        assertThat(database.executions()).isEqualTo(2);
    }

    /** Different instances are no rivals, though a database may take them for such in a strict isolation. */
    @Test
    void fourDifferentInstancesAtOnceAllRun() throws Throwable {
        Host.Node n1 = start("n1", host().job("invoice").launcher(""));
        Host.Node n2 = start("n2", host().job("invoice").launcher(""));
        List<Host.Node> where = List.of(n1, n1, n2, n2);
        for (int round = 0; round < 5; round++) {
            AtomicInteger number = new AtomicInteger(round * 4);
            for (Future<@Nullable Throwable> launch :
                    all(where, node -> node.run("invoice", Batch.parameters("n", (long) number.incrementAndGet())))) {
                assertThat(launch.get(60, TimeUnit.SECONDS)).isNull();
            }
        }
        assertThat(work.runs).hasValue(20);
        assertThat(database.executions("STATUS = 'COMPLETED'")).isEqualTo(20);
        assertThat(database.executions()).isEqualTo(20);
    }

    private void race(List<Host.Node> where, Action action) throws Exception {
        List<Future<@Nullable Throwable>> launches = all(where, action);
        await().atMost(PATIENCE)
                .until(() -> launches.stream().filter(Future::isDone).count() == 3);
        work.letGo(4);
        int ran = 0;
        for (Future<@Nullable Throwable> launch : launches) {
            Throwable thrown = launch.get(60, TimeUnit.SECONDS);
            Throwable root = thrown;
            while (root != null && root.getCause() != null) {
                root = root.getCause();
            }
            ran += thrown == null ? 1 : 0;
            assertThat(thrown == null || Batch.isAlreadyRunning(root))
                    .as(String.valueOf(thrown))
                    .isTrue();
        }
        assertThat(ran).isEqualTo(1);
        assertThat(logs.lines(Level.INFO, "not launched on this node: held by n"))
                .hasSize(3);
    }
}
