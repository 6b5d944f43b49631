package dev.joblock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Executions that a dead node has left STARTED. */
class RecoveryIT extends Cluster {
    @Override
    Database database() {
        return Database.h2();
    }

    @Test
    void anExecutionOfADeadNodeIsListedAndRecoveredByOneCall() throws Throwable {
        long dead = leaveStarted("invoice", "today");
        Host.Node n2 = start("n2", host().job("invoice").launcher("").operator());

        Throwable thrown = Batch.failure(() -> n2.run("invoice", Batch.parameters("date", "today")));

        assertThat(Batch.isAlreadyRunning(thrown)).isTrue();
        assertThat(thrown)
                .hasMessageStartingWith("'batch:invoice?date=today' is not launched: stale execution " + dead
                        + " of node n1, STARTED, started ")
                .hasMessageContaining("call recover(" + dead + ") of the bean 'joblockBatchRecovery', or set"
                        + " 'joblock.batch.recover' to true");
        assertThat(logs.lines(Level.WARN, "not launched on this node: stale execution " + dead + " of node n1"))
                .hasSize(1);

        assertThat(n2.recovery().stale()).singleElement().satisfies(stale -> {
            assertThat(stale.id()).isEqualTo(dead);
            assertThat(stale.job()).isEqualTo("invoice");
            assertThat(stale.node()).contains("n1");
            assertThat(stale.fencingToken().orElse(0L)).isPositive();
            assertThat(stale.lockName()).isEqualTo("batch:invoice?date=today");
            assertThat(stale.started()).isPresent();
            assertThat(stale.age()).isLessThan(Duration.ofMinutes(10));
        });
        assertThat(n2.recovery().recover(dead)).isTrue();

        assertThat(n2.recovery().stale()).isEmpty();
        assertThat(database.executions("STATUS = 'FAILED' and END_TIME is not null"))
                .isEqualTo(1);
        assertThat(database.count(
                        "select count(*) from BATCH_STEP_EXECUTION where STATUS = 'FAILED' and END_TIME is not null"))
                .isEqualTo(1);
        assertThat(n2.recovery().recover(dead)).isFalse();
        assertThat(Batch.status(n2.run("invoice", Batch.parameters("date", "today"))))
                .isEqualTo("COMPLETED");
        assertThat(database.executions()).isEqualTo(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> n2.recovery().recover(4711))
                .withMessageContaining("There is no execution 4711 of a guarded Batch job");
    }

    @Test
    void whereItIsSwitchedOnALaunchRecoversAndRestarts() throws Throwable {
        long dead = leaveStarted("invoice", "today");
        Host.Node n2 = start(
                "n2",
                host().property("joblock.batch.recover", "true").job("invoice").launcher(""));

        assertThat(Batch.status(n2.run("invoice", Batch.parameters("date", "today"))))
                .isEqualTo("COMPLETED");

        assertThat(logs.lines(Level.WARN, "stale execution " + dead + " of node n1, STARTED"))
                .hasSize(1);
        assertThat(logs.lines(Level.WARN, "it is marked FAILED")).hasSize(1);
        assertThat(database.executions("STATUS = 'FAILED'")).isEqualTo(1);
        assertThat(database.executions()).isEqualTo(2);
    }

    @Test
    void whoseLockIsHeldIsLeftAlone() throws Throwable {
        Host.Node n1 = start(
                "n1",
                host().job("invoice")
                        .launcher("p:taskExecutor-ref=\"pool\"")
                        .operator()
                        .beans("""
                <bean id="pool" class="org.springframework.core.task.SimpleAsyncTaskExecutor"/>
                """));
        Host.Node n2 = start(
                "n2",
                host().property("joblock.batch.recover", "true")
                        .job("invoice")
                        .launcher("")
                        .operator());
        work.hold();
        Object execution = n1.run("invoice", Batch.parameters("date", "today"));
        work.awaitBegun();

        assertThat(n2.recovery().stale()).isEmpty();
        assertThat(n1.recovery().stale()).isEmpty();
        assertThat(n2.recovery().recover(Batch.id(execution))).isFalse();
        assertThat(n1.recovery().recover(Batch.id(execution))).isFalse();
        assertThat(Batch.isAlreadyRunning(Batch.failure(() -> n2.run("invoice", Batch.parameters("date", "today")))))
                .isTrue();
        work.letGo(1);
        // The execution says so a moment before its row does.
        await().atMost(PATIENCE).until(() -> database.executions("STATUS = 'COMPLETED'") == 1);
        assertThat(Batch.status(execution)).isEqualTo("COMPLETED");
    }

    @Test
    void whatWasLaunchedWithoutThisLockIsReportedAndNotRecoveredByItself() throws Throwable {
        Host.Node unguarded = start(
                "n1", host().property("joblock.enabled", "false").job("invoice").launcher(""));
        unguarded.run("invoice", Batch.parameters("date", "today"));
        unstop();
        Host.Node n2 = start(
                "n2",
                host().property("joblock.batch.recover", "true").job("invoice").launcher(""));

        Throwable thrown = Batch.failure(() -> n2.run("invoice", Batch.parameters("date", "today")));

        assertThat(Batch.isAlreadyRunning(thrown)).isTrue();
        assertThat(thrown)
                .hasMessageContaining("of an unknown node")
                .hasMessageContaining("it was not launched under this lock, so that it may be at work");
        assertThat(database.executions("STATUS = 'STARTED'")).isEqualTo(1);
    }

    /** An execution of node n1, as it stands after that was killed. */
    private long leaveStarted(String job, String date) throws Throwable {
        Host.Node n1 = start("n1", host().job(job).launcher(""));
        long id = Batch.id(n1.run(job, Batch.parameters("date", date)));
        unstop();
        return id;
    }

    private void unstop() {
        for (String table : new String[] {"BATCH_JOB_EXECUTION", "BATCH_STEP_EXECUTION"}) {
            database.execute("update " + table + " set STATUS = 'STARTED', EXIT_CODE = 'UNKNOWN', END_TIME = null");
        }
    }
}
