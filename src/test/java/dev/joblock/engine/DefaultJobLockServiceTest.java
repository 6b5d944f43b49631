package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LockMode;
import dev.joblock.LockOutcome;
import dev.joblock.StoreFault;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DefaultJobLockServiceTest {
    private static final JobRun JOB = JobRun.exclusive("job");

    private final ManualEngine engine = new ManualEngine();

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void taskRunsUnderItsLockAndTheLockIsReleasedAfterwards() {
        LockOutcome outcome = engine.service.run(JOB.beforeStart(), () -> {
            assertThat(engine.store.calls()).containsExactly("acquire job 10000");
            engine.passSeconds(4);
            assertThat(engine.store.calls()).as("it has begun").containsExactly("renew job 30000");
        });

        assertThat(outcome.isGranted()).isTrue();
        assertThat(ManualEngine.granted(outcome).isHeld()).isFalse();
        assertThat(engine.store.calls()).containsExactly("release job");
    }

    @Test
    void taskThatIsDeniedDoesNotRun() {
        engine.store.fail(StoreFault.UNREACHABLE, false);

        LockOutcome outcome = engine.service.run(JOB, () -> {
            throw new AssertionError("ran");
        });

        assertThat(outcome.isGranted()).isFalse();
    }

    @Test
    void whatATaskThrowsIsThrownOnAndToldAlsoWhereTheReleaseFails() {
        assertThatIllegalStateException()
                .isThrownBy(() -> engine.service.run(JOB, () -> {
                    engine.store.fail(StoreFault.UNREACHABLE, false);
                    throw new IllegalStateException("boom");
                }))
                .withMessage("boom")
                .withNoCause();
        engine.store.recover();
        engine.passSeconds(1);
        assertThat(engine.events.heard()).containsExactly("granted job", "ended job: boom");

        assertThatThrownBy(() -> engine.service.run(JOB, () -> sneakily(new IOException("checked"))))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> engine.service.run(JOB, () -> sneakily(new StackOverflowError())))
                .isInstanceOf(StackOverflowError.class);
        assertThat(engine.service.current()).isEmpty();
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void closedServiceDeniesAndAsksNobody() {
        engine.service.close();
        engine.service.close();

        Denied denied = ManualEngine.denied(engine.service.tryLock(JOB));

        assertThat(denied).hasToString("store down: service closed, this node is closing");
        assertThat(engine.service.addJobLock("job")).isFalse();
        assertThat(engine.store.calls()).isEmpty();
    }

    @Test
    void closeLeavesWhatIsHeldToItsEndAndNamesIt() {
        JobLock lock = engine.grant("job");

        engine.service.close();

        assertThat(lock.isHeld()).isTrue();
        assertThat(engine.store.calls()).containsExactly("acquire job 30000");
        assertThat(engine.logs.warnings())
                .containsExactly("This node closes while it holds [lock 'job' of 'job', token 1, RUNNING]; "
                        + "these leases are left to their end");
        engine.time.pass(Duration.ofSeconds(29));
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void grantThatArrivesWhileTheServiceClosesIsTakenBack() {
        CompletableFuture<Void>[] closing = closings();
        engine.store.thenDo(() -> {
            closing[0] = CompletableFuture.runAsync(engine.service::close);
            org.awaitility.Awaitility.await()
                    .until(() ->
                            !engine.service.tryLock(JobRun.exclusive("other")).isGranted());
        });

        Denied denied = ManualEngine.denied(engine.service.tryLock(JOB));

        closing[0].join();
        assertThat(denied.fault()).contains(StoreFault.CLOSED);
        assertThat(engine.store.calls()).contains("acquire job 30000").endsWith("unclaim job");
    }

    @Test
    void serviceThatCannotWorkFailsAtOnceAndSaysWhy() {
        JobLockPolicies defaults = new JobLockPolicies(new JobLockPolicy(), List.of());
        JobLockPolicy other = ManualEngine.policy("reconcile*");
        other.setMode("status-time");
        Map<LockMode, ScriptedStore> stores = Map.of(LockMode.HASH_TIMESTAMP, engine.store);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> service(" ", Duration.ofSeconds(1), stores, defaults))
                .withMessage("The node id ' ' is blank; give each node its own name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service("n1", Duration.ZERO, stores, defaults))
                .withMessage(
                        "'ask budget' = 'PT0S' must be longer than zero; write for example 500ms, 30s, 5m, 24h or PT5M");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service(
                        "n1", Duration.ofSeconds(1), stores, new JobLockPolicies(new JobLockPolicy(), List.of(other))))
                .withMessage(
                        "The policy for 'reconcile*': status-time, lease 30s asks for mode 'status-time', for which "
                                + "there is no store; there are [hash-timestamp]");
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static CompletableFuture<Void>[] closings() {
        return new CompletableFuture[1];
    }

    private static DefaultJobLockService service(
            String node, Duration budget, Map<LockMode, ScriptedStore> stores, JobLockPolicies policies) {
        return new DefaultJobLockService(node, budget, Map.copyOf(stores), policies, List.of());
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneakily(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
