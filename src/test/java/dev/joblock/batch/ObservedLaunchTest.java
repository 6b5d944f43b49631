package dev.joblock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.LockMode;
import dev.joblock.engine.DefaultJobLockService;
import dev.joblock.engine.UnguardedStore;
import dev.joblock.metrics.RunObservations;
import dev.joblock.testing.RecordedObservations;
import io.micrometer.observation.Observation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;

/** The observation of a launch: begun with the job, wherever that runs, and stopped with it. */
class ObservedLaunchTest {
    private final RecordedObservations recorded = new RecordedObservations();
    private final DefaultJobLockService service = new DefaultJobLockService(
            "n1",
            Duration.ofSeconds(10),
            Map.of(LockMode.HASH_TIMESTAMP, new UnguardedStore()),
            new JobLockPolicies(new JobLockPolicy(), List.of()),
            List.of());
    private final Work work = new Work();
    private final Database database = Database.h2();

    ObservedLaunchTest() {
        StaticListableBeanFactory beans = new StaticListableBeanFactory();
        beans.addBean("registry", recorded.registry());
        RunObservations observations = new RunObservations();
        observations.setBeanFactory(beans);
        observations.afterSingletonsInstantiated();
        service.observe(List.of(observations));
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void anExecutionOnAnotherThreadIsObservedThereAndLeavesNoScopeHere() throws Throwable {
        CountDownLatch goOn = new CountDownLatch(1);
        TaskExecutor pool = new SimpleAsyncTaskExecutor("batch-");
        List<String> before = new CopyOnWriteArrayList<>();
        work.body(() -> {
            // Not the current observation: from Batch 5 on that is Batch's own.
            before.addAll(recorded.steps());
            try {
                assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        try (Host.Node node = start(pool)) {
            node.run("invoice", Batch.parameters("n", 1L));
            assertThat(recorded.current()).isEqualTo("nothing");
            work.awaitBegun();
            assertThat(recorded.stopped()).isEmpty();
            goOn.countDown();
            await().atMost(60, TimeUnit.SECONDS).until(() -> recorded.stopped().size() == 1);
        }

        assertThat(before).hasSize(2).allMatch(step -> step.contains(" on batch-"));
        assertThat(recorded.steps().stream().map(step -> step.replaceFirst(" on batch-.*", "")))
                .containsExactly("start joblock.run", "open joblock.run", "close joblock.run", "stop joblock.run");
        assertThat(RecordedObservations.values(recorded.stopped().get(0)))
                .containsEntry("job", "batch:invoice")
                .containsEntry("outcome", "ran");
    }

    @Test
    void anExecutionThatFailsRecordsItsError() throws Throwable {
        work.fail(true);
        try (Host.Node node = start(Runnable::run)) {
            node.run("invoice", Batch.parameters("n", 1L));
        }

        Observation.Context run = recorded.stopped().get(0);
        assertThat(RecordedObservations.values(run)).containsEntry("outcome", "failed");
        assertThat(Objects.requireNonNull(run.getError())).hasMessage("as the test wishes");
        assertThat(recorded.current()).isEqualTo("nothing");
    }

    @Test
    void aLaunchThatNeverBeginsIsNotObserved() {
        TaskExecutor full = task -> {
            throw new RejectedExecutionException("full");
        };
        try (Host.Node node = start(full)) {
            assertThat(Batch.failure(() -> node.run("invoice", Batch.parameters("n", 1L))))
                    .isNotNull();
        }

        assertThat(recorded.steps()).isEmpty();
    }

    private Host.Node start(TaskExecutor executor) {
        return Host.on(database)
                .work(work)
                .singleton("executor", executor)
                .singleton("service", service)
                .singleton("policies", new JobLockPolicies(new JobLockPolicy(), List.of()))
                .beans("""
                        <bean id="joblockBatchRuns" class="dev.joblock.batch.BatchRuns"/>
                        <bean id="joblockBatchGuard" class="dev.joblock.batch.BatchGuard" p:jobs="*">
                            <constructor-arg ref="service"/>
                            <constructor-arg ref="policies"/>
                            <constructor-arg ref="joblockBatchRuns"/>
                        </bean>
                        <bean class="dev.joblock.batch.GuardedLaunchers"/>
                        """)
                .job("invoice")
                .launcher("p:taskExecutor-ref=\"executor\"")
                .start();
    }
}
