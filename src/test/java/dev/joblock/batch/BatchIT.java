package dev.joblock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Launches on several nodes. */
class BatchIT extends Cluster {
    @Override
    Database database() {
        return Database.h2();
    }

    @Test
    void fourLaunchersAndFiftyDatesGiveOneExecutionADate() throws Exception {
        for (int n = 1; n <= 4; n++) {
            start("n" + n, host().job("invoice").launcher(""));
        }
        work.hold();
        for (int day = 0; day < 50; day++) {
            String date = "day " + day;
            List<Future<@Nullable Throwable>> launches =
                    all(nodes, node -> node.run("invoice", Batch.parameters("date", date)));
            // The one that runs waits until the other three are back.
            await().atMost(PATIENCE)
                    .until(() -> launches.stream().filter(Future::isDone).count() == 3);
            work.letGo(1);
            int ran = 0;
            for (Future<@Nullable Throwable> launch : launches) {
                Throwable thrown = launch.get(60, TimeUnit.SECONDS);
                if (thrown == null) {
                    ran++;
                } else {
                    assertThat(Batch.isAlreadyRunning(thrown))
                            .as(thrown.toString())
                            .isTrue();
                    assertThat(thrown)
                            .hasMessageContaining("'batch:invoice?date=" + date + "' is not launched: held by n");
                }
            }
            assertThat(ran).isEqualTo(1);
        }
        assertThat(work.runs).hasValue(50);
        assertThat(database.instances()).isEqualTo(50);
        assertThat(database.executions()).isEqualTo(50);
        assertThat(database.executions("STATUS = 'COMPLETED'")).isEqualTo(50);
        assertThat(logs.lines(Level.INFO, "not launched on this node: held by n"))
                .hasSize(150);
        assertThat(logs.lines(Level.INFO, "' ran as execution")).hasSize(50);
        assertThat(logs.lines(Level.WARN, "")).isEmpty();
        assertThat(logs.lines(Level.ERROR, "")).isEmpty();
    }

    @Test
    void anAsynchronousExecutionHoldsTheLockToItsEndAndFreesItThen() throws Throwable {
        Host.Node n1 = start(
                "n1",
                host().job("invoice").launcher("p:taskExecutor-ref=\"pool\"").beans(pool(1, 5)));
        Host.Node n2 = start("n2", host().job("invoice").launcher(""));
        Object parameters = Batch.parameters("date", "today");
        work.hold();
        List<String> current = new ArrayList<>();
        work.body(() -> n1.bean(JobLockService.class)
                .current()
                .ifPresent(lock -> current.add(lock.lockName() + " " + lock.isHeld())));

        Object execution = n1.run("invoice", parameters);
        work.awaitBegun();
        assertThat(n1.bean(BatchRuns.class).lock(Batch.id(execution)).isHeld()).isTrue();
        assertThat(Batch.isAlreadyRunning(Batch.failure(() -> n2.run("invoice", parameters))))
                .isTrue();
        assertThat(database.executions()).isEqualTo(1);
        work.letGo(1);
        await().atMost(PATIENCE).until(() -> Batch.status(execution).equals("COMPLETED"));
        await().atMost(PATIENCE)
                .until(() -> n1.bean(BatchRuns.class).find(Batch.id(execution)).isEmpty());

        // Free: it is Batch itself that answers now.
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Batch.failure(() -> n2.run("invoice", parameters)))
                        .hasMessageContaining("complete"));
        assertThat(current).containsExactly("batch:invoice?date=today true");
        assertThat(database.executions()).isEqualTo(1);
    }

    @Test
    void aLaunchThatWaitsForAThreadIsRenewedAndHeld() throws Throwable {
        Host.Node n1 = start(
                "n1",
                host().property("joblock.lease", "2s")
                        .job("invoice")
                        .launcher("p:taskExecutor-ref=\"pool\"")
                        .beans(pool(1, 5)));
        Host.Node n2 = start("n2", host().job("invoice").launcher(""));
        work.hold();
        n1.run("invoice", Batch.parameters("date", "first"));
        work.awaitBegun();
        Object queued = n1.run("invoice", Batch.parameters("date", "second"));
        long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        await().pollInterval(Duration.ofMillis(500)).atMost(PATIENCE).until(() -> {
            assertThat(Batch.isAlreadyRunning(
                            Batch.failure(() -> n2.run("invoice", Batch.parameters("date", "second")))))
                    .isTrue();
            return System.nanoTime() > until;
        });
        work.letGo(2);
        await().atMost(PATIENCE).until(() -> Batch.status(queued).equals("COMPLETED"));
        assertThat(database.executions()).isEqualTo(2);
        assertThat(logs.lines(Level.WARN, "")).isEmpty();
    }

    @Test
    void aRejectedLaunchGivesTheLockBack() throws Throwable {
        List<String> heard = new CopyOnWriteArrayList<>();
        Host.Node n1 = start(
                "n1",
                host().job("invoice")
                        .launcher("p:taskExecutor-ref=\"pool\"")
                        .beans(pool(1, 0))
                        .singleton("ends", new JobLockListener() {
                            @Override
                            public void onEnded(JobLock lock, @Nullable Throwable failure) {
                                heard.add("ended");
                            }

                            @Override
                            public void onUnclaimed(JobLock lock) {
                                heard.add("un-claimed");
                            }
                        }));
        Host.Node n2 = start("n2", host().job("invoice").launcher(""));
        work.hold();
        n1.run("invoice", Batch.parameters("date", "first"));
        work.awaitBegun();

        Object rejected = n1.run("invoice", Batch.parameters("date", "second"));

        assertThat(Batch.status(rejected)).isEqualTo("FAILED");
        assertThat(logs.lines(Level.WARN, "the executor has rejected execution"))
                .hasSize(1);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(heard).containsExactly("un-claimed"));
        work.letGo(2);
        assertThat(Batch.status(n2.run("invoice", Batch.parameters("date", "second"))))
                .isEqualTo("COMPLETED");
    }

    @Test
    void aQuartzJobAndTheBatchJobThatItLaunchesDoNotDenyOneAnother() throws Throwable {
        Host.Node n1 = start("n1", host().job("invoice").launcher(""));
        JobLockService service = n1.bean(JobLockService.class);
        List<@Nullable Throwable> thrown = new ArrayList<>();

        service.run(
                JobRun.exclusive("invoice"),
                () -> thrown.add(quietly(() -> n1.run("invoice", Batch.parameters("date", "today")))));

        assertThat(thrown).containsOnlyNulls();
        assertThat(database.executions("STATUS = 'COMPLETED'")).isEqualTo(1);
    }

    @Test
    void underOneLockNameTheLeaseOfTheQuartzJobLastsUntilTheBatchExecutionHasEnded() throws Throwable {
        String policies = """
                <bean class="dev.joblock.JobLockPolicy" p:jobs="invoice,batch:invoice" p:lockName="invoicing"/>
                """;
        Host.Node n1 = start(
                "n1",
                host().beans(policies)
                        .job("invoice")
                        .launcher("p:taskExecutor-ref=\"pool\"")
                        .beans(pool(1, 5)));
        Host.Node n2 = start("n2", host().beans(policies).job("invoice").launcher(""));
        work.hold();
        List<Object> executions = new ArrayList<>();
        List<@Nullable Throwable> thrown = new ArrayList<>();

        n1.bean(JobLockService.class)
                .run(
                        JobRun.exclusive("invoice"),
                        () -> thrown.add(
                                quietly(() -> executions.add(n1.run("invoice", Batch.parameters("date", "today"))))));

        assertThat(thrown).containsOnlyNulls();
        work.awaitBegun();
        // The Quartz job is over, the execution is not.
        assertThat(Batch.isAlreadyRunning(Batch.failure(() -> n2.run("invoice", Batch.parameters("date", "tomorrow")))))
                .isTrue();
        work.letGo(2);
        await().atMost(PATIENCE).until(() -> Batch.status(executions.get(0)).equals("COMPLETED"));
        await().atMost(PATIENCE)
                .until(() -> quietly(() -> n2.run("invoice", Batch.parameters("date", "tomorrow"))) == null);
        assertThat(database.executions("STATUS = 'COMPLETED'")).isEqualTo(2);
    }

    private static String pool(int threads, int queue) {
        return """
                <bean id="pool" class="org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor"
                      p:corePoolSize="%d" p:maxPoolSize="%d" p:queueCapacity="%d"/>
                """.formatted(threads, threads, queue);
    }
}
