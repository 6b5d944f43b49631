package dev.joblock.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LockMode;
import dev.joblock.RunObserver;
import dev.joblock.Slot;
import dev.joblock.engine.DefaultJobLockService;
import dev.joblock.engine.UnguardedStore;
import dev.joblock.testing.RecordedObservations;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

/** Which observations a run gives, with Micrometer's own registry. */
class RunObservationsTest {
    private static final Slot SLOT = Slot.last(Instant.parse("2026-01-01T03:00:00Z"), null, "");

    private final RecordedObservations recorded = new RecordedObservations();
    private final RunObservations observations = new RunObservations();
    private final DefaultJobLockService service = new DefaultJobLockService(
            "n1",
            Duration.ofSeconds(10),
            Map.of(LockMode.HASH_TIMESTAMP, new UnguardedStore()),
            new JobLockPolicies(new JobLockPolicy(), List.of()),
            List.of());
    private final String here = " joblock.run on " + Thread.currentThread().getName();

    RunObservationsTest() {
        StaticListableBeanFactory beans = new StaticListableBeanFactory();
        beans.addBean("registry", recorded.registry());
        observations.setBeanFactory(beans);
        observations.afterSingletonsInstantiated();
        service.observe(List.of(observations));
    }

    @AfterEach
    void close() {
        service.close();
        assertThat(recorded.current()).isEqualTo("nothing");
    }

    @Test
    void aRunIsOneObservationWhoseScopeIsOpenWhileTheJobRuns() {
        long[] token = new long[1];
        service.run(JobRun.slot("invoice", "nightly", SLOT), () -> {
            assertThat(recorded.current()).isEqualTo("joblock.run");
            token[0] = service.current().orElseThrow().fencingToken();
            Observation.createNotStarted("sql", recorded.registry()).observe(() -> {});
        });

        assertThat(recorded.steps().stream().filter(step -> !step.contains("sql")))
                .containsExactly("start" + here, "open" + here, "close" + here, "stop" + here);
        Observation.Context run = recorded.stopped().get(1);
        assertThat(recorded.stopped().get(0).getParentObservation())
                .extracting(Observation.class::cast)
                .matches(parent -> parent.getContext() == run);
        assertThat(RecordedObservations.values(run))
                .isEqualTo(Map.of(
                        "job", "invoice",
                        "origin", "scheduled",
                        "outcome", "ran",
                        "slot", "2026-01-01T03:00:00Z",
                        "node", "n1",
                        "fencing.token", Long.toString(token[0])));
        assertThat(run.getLowCardinalityKeyValues().stream().map(value -> value.getKey()))
                .containsExactly("job", "origin", "outcome");
        assertThat(run.getContextualName()).isEqualTo("job invoice");
        assertThat((JobRun) run.get(JobRun.class)).isNotNull();
    }

    @Test
    void whatTheJobThrowsIsRecordedAndThrownOn() {
        IllegalStateException failure = new IllegalStateException("no paper");
        assertThatThrownBy(() -> service.run(JobRun.exclusive("invoice"), () -> {
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(recorded.steps())
                .containsExactly("start" + here, "open" + here, "close" + here, "error" + here, "stop" + here);
        assertThat(recorded.stopped()).singleElement().satisfies(context -> {
            assertThat(context.getError()).isSameAs(failure);
            assertThat(RecordedObservations.values(context))
                    .containsEntry("outcome", "failed")
                    .containsEntry("origin", "manual")
                    .containsEntry("slot", "none");
        });
    }

    @Test
    void aRunThatWasLostSaysSo() {
        JobLock lock = lock("invoice");
        RunObserver.Entry entry = observations.enter(lock);
        entry.begun();
        entry.left();
        observations.ended(lock, true, null);

        assertThat(RecordedObservations.values(recorded.stopped().get(0))).containsEntry("outcome", "lost");
        lock.release();
        assertThat(recorded.stopped()).hasSize(1);
    }

    @Test
    void aRunThatBeginsOnOneThreadAndEndsOnAnotherLeavesNoScope() {
        JobLock lock = lock("invoice");
        service.enter(lock);
        lock.started();
        service.leave(lock);
        assertThat(recorded.current()).isEqualTo("nothing");
        CompletableFuture.runAsync(() -> {
                    Thread.currentThread().setName("other");
                    service.enter(lock);
                    assertThat(recorded.current()).isEqualTo("joblock.run");
                    service.leave(lock);
                    assertThat(recorded.current()).isEqualTo("nothing");
                    lock.release();
                })
                .join();

        String other = " joblock.run on other";
        assertThat(recorded.steps())
                .containsExactly(
                        "start" + here, "open" + here, "close" + here, "open" + other, "close" + other, "stop" + other);
    }

    @Test
    void aNestedPartOfTheRunIsNoObservationOfItsOwnAndAnotherRunInItIs() {
        service.run(JobRun.exclusive("invoice"), () -> {
            service.run(JobRun.exclusive("invoice"), () -> {});
            assertThat(recorded.current()).isEqualTo("joblock.run");
            service.run(JobRun.exclusive("print"), () -> {});
        });

        assertThat(recorded.stopped())
                .extracting(Observation.Context::getContextualName)
                .containsExactly("job print", "job invoice");
        assertThat(recorded.stopped().get(0).getParentObservation()).isNotNull();
        assertThat(recorded.steps().stream().filter(step -> step.startsWith("open")))
                .hasSize(2);
    }

    @Test
    void aRunThatIsFiredAgainUnderItsLockIsOneObservation() {
        JobLock lock = lock("invoice");
        for (int fire = 0; fire < 3; fire++) {
            service.enter(lock);
            lock.started();
            assertThat(recorded.current()).isEqualTo("joblock.run");
            service.leave(lock);
        }
        lock.release();

        assertThat(recorded.steps().stream().filter(step -> step.startsWith("open")))
                .hasSize(3);
        assertThat(recorded.stopped()).hasSize(1);
    }

    @Test
    void aHandlerThatThrowsReachesNoJobAndLeavesNoScope() {
        for (String step : List.of("start", "open", "close", "error", "stop")) {
            RunObservationsTest test = new RunObservationsTest();
            test.recorded.registry().observationConfig().observationHandler(new Throwing(step));
            boolean[] ran = new boolean[1];
            IllegalStateException failure = new IllegalStateException("of the job");
            assertThatThrownBy(() -> test.service.run(JobRun.exclusive("invoice"), () -> {
                        ran[0] = true;
                        throw failure;
                    }))
                    .isSameAs(failure);
            assertThat(ran).containsExactly(true);
            // Micrometer tells of the stop in the reverse order, so that the handler that fails there comes first.
            assertThat(test.recorded.stopped()).as(step).hasSize(step.equals("stop") ? 0 : 1);
            test.close();
        }
    }

    /** Fails at one step. */
    private record Throwing(String step) implements ObservationHandler<Observation.Context> {
        private void at(String now) {
            if (now.equals(step)) {
                throw new IllegalStateException("of the handler, at " + now);
            }
        }

        @Override
        public void onStart(Observation.Context context) {
            at("start");
        }

        @Override
        public void onError(Observation.Context context) {
            at("error");
        }

        @Override
        public void onScopeOpened(Observation.Context context) {
            at("open");
        }

        @Override
        public void onScopeClosed(Observation.Context context) {
            at("close");
        }

        @Override
        public void onStop(Observation.Context context) {
            at("stop");
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @Test
    void withoutARegistryOrWithSeveralNothingIsObserved() {
        for (int registries = 0; registries <= 2; registries += 2) {
            StaticListableBeanFactory beans = new StaticListableBeanFactory();
            for (int i = 0; i < registries; i++) {
                beans.addBean("registry" + i, recorded.registry());
            }
            RunObservations none = new RunObservations();
            none.setBeanFactory(beans);
            none.afterSingletonsInstantiated();
            JobLock lock = lock("invoice");
            RunObserver.Entry entry = none.enter(lock);
            entry.begun();
            entry.left();
            none.ended(lock, false, null);
        }
        assertThat(recorded.steps()).isEmpty();
    }

    private JobLock lock(String job) {
        return ((Granted) service.tryLock(JobRun.exclusive(job))).lock();
    }
}
