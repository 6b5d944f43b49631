package dev.joblock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.Slot;
import dev.joblock.testing.Logs;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.batch.core.launch.JobLauncher;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.task.TaskExecutor;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DuplicateKeyException;

/** What a guarded launcher does, on H2 and without a store: the test says which lock is granted. */
class GuardedLaunchersTest {
    private final StubService service = new StubService();
    private final Work work = new Work();
    private final Database database = Database.h2();
    private final Logs logs = Logs.of(BatchGuard.class);
    private final Logs launcherLogs = Logs.of(GuardedLaunchers.class);
    private Host.@Nullable Node node;

    @AfterEach
    void close() {
        if (node != null) {
            node.close();
        }
        logs.close();
        launcherLogs.close();
    }

    @Test
    void aGrantedLaunchRunsUnderTheLockAndReleasesIt() throws Throwable {
        Host.Node host = start(guard("invoice"));
        List<String> current = new ArrayList<>();
        work.body(() -> current.add(service.current().orElseThrow().lockName()));

        Object execution = host.run("invoice", Batch.parameters("date", "today"));

        assertThat(Batch.status(execution)).isEqualTo("COMPLETED");
        assertThat(current).containsExactly("batch:invoice?date=today");
        assertThat(service.asked).containsExactly("batch:invoice?date=today");
        assertThat(service.ended).containsExactly("batch:invoice?date=today");
        assertThat(service.current).isEmpty();
        assertThat(logs.lines(Level.INFO, "'batch:invoice?date=today' ran as execution 1, token 42"))
                .hasSize(1);
    }

    @Test
    void aFailedExecutionIsSaidToHaveFailed() throws Throwable {
        Host.Node host = start(guard("invoice"));
        work.fail(true);

        assertThat(Batch.status(host.run("invoice", Batch.parameters()))).isEqualTo("FAILED");
        assertThat(service.ended).containsExactly("batch:invoice: as the test wishes");
    }

    @Test
    void aDeniedLaunchGetsBatchsOwnExceptionAndWritesNothing() {
        Host.Node host = start(guard("invoice"));
        service.denyAsHeld();

        Throwable thrown = Batch.failure(() -> host.run("invoice", Batch.parameters("date", "today")));

        assertThat(Batch.isAlreadyRunning(thrown)).isTrue();
        assertThat(thrown)
                .hasMessage("'batch:invoice?date=today' is not launched: held by n9 since 2026-10-25T11:59:00Z,"
                        + " lease until 2026-10-25T12:00:30Z");
        assertThat(database.instances() + database.executions()).isZero();
        assertThat(logs.lines(Level.INFO, "not launched on this node"))
                .containsExactly("'batch:invoice?date=today' not launched on this node: held by n9 since"
                        + " 2026-10-25T11:59:00Z, lease until 2026-10-25T12:00:30Z");
        assertThat(work.runs).hasValue(0);
    }

    @Test
    void aStoreThatIsDownAndAFaultOfTheKitLookTheSame() {
        Host.Node host = start(guard("invoice"));
        service.denyAsStoreDown();
        Throwable down = Batch.failure(() -> host.run("invoice", Batch.parameters()));
        assertThat(Batch.isAlreadyRunning(down)).isTrue();
        assertThat(down).hasMessage("'batch:invoice' is not launched: store down: cannot be reached, nobody listens");

        service.fail();
        Throwable fault = Batch.failure(() -> host.run("invoice", Batch.parameters()));
        assertThat(Batch.isAlreadyRunning(fault)).isTrue();
        assertThat(fault)
                .hasMessageContaining("store down: store error, Joblock failed")
                .hasMessageContaining("a fault");
        assertThat(logs.lines(Level.ERROR, "before the launch of Batch job 'invoice'"))
                .hasSize(1);
        assertThat(database.instances()).isZero();
    }

    @Test
    void aJobWhosePolicySaysSoRunsWhileTheStoreIsDown() throws Throwable {
        Host.Node host = start(guard("", policy("batch:invoice", it -> it.setWhenStoreDown("run"))));
        service.denyAsStoreDownAndRun();

        assertThat(Batch.status(host.run("invoice", Batch.parameters()))).isEqualTo("COMPLETED");
        assertThat(logs.lines(Level.WARN, "launched without its lock, since its policy says so: store down"))
                .hasSize(1);
        service.denyAsHeld();
        assertThat(Batch.isAlreadyRunning(Batch.failure(() -> host.run("invoice", Batch.parameters()))))
                .isTrue();
    }

    @Test
    void aStoreThatIsUpAndRefusesAndAFaultOfTheKitLetNoJobRunWithoutItsLock() {
        Host.Node host = start(guard("", policy("batch:invoice", it -> it.setWhenStoreDown("run"))));
        service.denyAsNewerRecord();
        assertThat(Batch.isAlreadyRunning(Batch.failure(() -> host.run("invoice", Batch.parameters()))))
                .isTrue();

        service.fail();
        assertThat(Batch.isAlreadyRunning(Batch.failure(() -> host.run("invoice", Batch.parameters()))))
                .isTrue();
        assertThat(work.runs).hasValue(0);
    }

    @Test
    void onlyJobsThatAreNamedAsBatchJobsAreGuarded() throws Throwable {
        JobLockPolicy quartz = policy("*", it -> it.setLockName("everything"));
        JobLockPolicy batch = policy("batch:re*", it -> it.setExclusive("job"));
        Host.Node host = start(guard("invoice", quartz, batch).job("other").job("report"));

        host.run("other", Batch.parameters("n", 1L));
        assertThat(service.asked).isEmpty();
        host.run("report", Batch.parameters("n", 1L));
        host.run("invoice", Batch.parameters("n", 1L));
        assertThat(service.asked).containsExactly("batch:report", "batch:invoice?n=1(Long)");
        assertThat(logs.lines(Level.INFO, "Joblock guards 2 of 3 Batch jobs on node n1"))
                .singleElement()
                .asString()
                .contains(
                        "invoice: guarded by jobs 'invoice', a lock for each set of identifying parameters, lease 30s")
                .contains("other: not guarded, nothing names it")
                .contains("report: guarded by policy 'batch:re*', one lock for the job, lease 30s");
    }

    @Test
    void switchedOffOrInDryRunNothingIsHeldBack() throws Throwable {
        service.denyAsHeld();
        Host.Node host = start(guard("invoice"));
        BatchGuard guard = host.bean(BatchGuard.class);
        guard.setDryRun(true);
        host.run("invoice", Batch.parameters("n", 1L));
        assertThat(logs.lines(Level.INFO, "dry run: would not be launched on this node: held by n9"))
                .hasSize(1);

        guard.setEnabled(false);
        host.run("invoice", Batch.parameters("n", 2L));
        assertThat(service.asked).hasSize(1);
        assertThat(work.runs).hasValue(2);
    }

    @Test
    void everyWayOfAnOperatorIsGuarded() throws Throwable {
        Host.Node host = start(guard("invoice,next")
                .operator()
                .beans("<bean id=\"incrementer\" class=\"%s\"/>".formatted(Batch.INCREMENTER))
                .job("next", "incrementer=\"incrementer\"", "work"));
        work.fail(true);
        long failed = Batch.id(host.run("invoice", Batch.parameters("n", 0L)));
        work.fail(false);
        int rows = database.executions() + database.instances();
        service.asked.clear();
        service.denyAsHeld();

        List<Batch.Call> ways = new ArrayList<>();
        if (host.bean("jobOperator") instanceof JobLauncher) {
            Object invoice = host.bean("invoice");
            Object failedExecution = Objects.requireNonNull(BatchTypes.execution(host.bean("jobRepository"), failed));
            ways.add(() -> host.operate("run", invoice, Batch.parameters("date", "today")));
            ways.add(() -> host.operate("start", invoice, Batch.parameters("date", "today")));
            ways.add(() -> host.operate("start", host.bean("next"), Batch.parameters()));
            ways.add(() -> host.operate("startNextInstance", host.bean("next")));
            ways.add(() -> host.operate("restart", failedExecution));
        }
        ways.add(() -> {
            Properties properties = new Properties();
            properties.setProperty("date", "today");
            boolean text = Batch.hasMethod(host.bean("jobOperator"), "start", String.class, String.class);
            host.operate("start", "invoice", text ? "date=today" : properties);
        });
        ways.add(() -> host.operate("restart", failed));
        ways.add(() -> host.operate("startNextInstance", "next"));

        for (Batch.Call way : ways) {
            Throwable thrown = Batch.failure(way);
            assertThat(Batch.isAlreadyRunning(rootOf(thrown)))
                    .as(String.valueOf(thrown))
                    .isTrue();
        }
        assertThat(database.executions() + database.instances()).isEqualTo(rows);
        assertThat(service.asked).hasSize(ways.size());
        assertThat(service.asked)
                .contains("batch:invoice?date=today", "batch:invoice?n=0(Long)", "batch:next?run.id=1(Long)");

        service.grant();
        for (Batch.Call way : ways) {
            quietly(way);
        }
        assertThat(service.current).isEmpty();
        assertThat(database.executions("STATUS not in ('COMPLETED', 'FAILED')")).isZero();
        assertThat(work.runs.get()).isGreaterThan(1);
        assertThat(service.ended).hasSize(service.asked.size() - ways.size() + 1);
    }

    @Test
    void aGuardedLauncherIsInjectedByClassAndByInterface() {
        String injected = "<bean id=\"injected\" class=\"dev.joblock.batch.GuardedLaunchersTest$Injected\"/>"
                + "<bean class=\"org.springframework.beans.factory.annotation.AutowiredAnnotationBeanPostProcessor\"/>";
        Host.Node host = start(guard("invoice").beans(injected));

        assertThat(((Injected) host.bean("injected")).launcher).isSameAs(host.bean("jobLauncher"));
        assertThat(Subclasses.isGuarded(host.bean("jobLauncher"))).isTrue();
        assertThat(host.bean("jobLauncher").getClass().getSuperclass().getName())
                .startsWith("org.springframework.batch.core.launch.support.");
    }

    /** What a host injects. */
    public static class Injected {
        @Autowired
        @Nullable
        JobLauncher launcher;
    }

    @Test
    void aLauncherBehindAProxyOfTheHostIsGuarded() throws Throwable {
        String aspect = """
                <bean id="nothing" class="org.springframework.aop.interceptor.DebugInterceptor"/>
                <aop:config>
                    <aop:advisor advice-ref="nothing" pointcut="bean(jobLauncher)"/>
                </aop:config>
                """;
        Host.Node host = start(guard("invoice").beans(aspect));

        host.run("invoice", Batch.parameters());

        assertThat(service.asked).containsExactly("batch:invoice");
        assertThat(service.ended).containsExactly("batch:invoice");
    }

    @Test
    void aForeignLauncherThatCallsAGuardedOneAsksForTheSameLockTwiceOnOneThread() throws Throwable {
        Host.Node host = start(guard("invoice"));
        JobLauncher inner = (JobLauncher) host.bean("jobLauncher");
        GuardedLaunchers guards = host.bean(GuardedLaunchers.class);
        Object foreign = guards.postProcessAfterInitialization(Batch.foreignLauncher(inner), "foreign");

        Batch.run(foreign, host.bean("invoice"), Batch.parameters());

        // A real service lets the second ask join the first, since the first is the thread's current run by then.
        assertThat(service.asked).containsExactly("batch:invoice", "batch:invoice");
        assertThat(service.ended).containsExactly("batch:invoice", "batch:invoice");
        assertThat(guards.postProcessAfterInitialization(foreign, "again")).isSameAs(foreign);
    }

    @Test
    void aLauncherInAChildContextIsNamedSinceItIsNotGuarded() {
        Host.Node parent = start(guard("invoice"));
        try (Host.Node child = Host.on(database)
                .work(work)
                .launcher("")
                .childOf(parent.context())
                .start()) {
            assertThat(Subclasses.isGuarded(child.bean("jobLauncher"))).isFalse();
        }
        assertThat(launcherLogs.lines(Level.WARN, "The JobLauncher 'jobLauncher' of the child context"))
                .hasSize(1);
    }

    @Test
    void anExecutorThatThrowsGivesTheLockBack() {
        TaskExecutor full = task -> {
            throw new RejectedExecutionException("full");
        };
        Host.Node host = start(guard("invoice", "p:taskExecutor-ref=\"full\"").singleton("full", full));

        assertThat(Batch.failure(() -> host.run("invoice", Batch.parameters())))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(service.ended).containsExactly("batch:invoice un-claimed");
    }

    @Test
    void aCollisionInTheRepositoryIsTriedAgainAndEndsAsAlreadyRunning() throws Throwable {
        for (RuntimeException collision : List.of(
                new DuplicateKeyException("JOB_INST_UN"),
                new CannotAcquireLockException("could not serialize"),
                new IllegalStateException("JobInstance must not already exist"),
                new IllegalStateException("JDBC commit failed", new SQLException("could not serialize", "40001")))) {
            service.ended.clear();
            Colliding repository = new Colliding(collision, 99);
            Host.Node host = start(guard("invoice"));
            Fields.write(host.bean("jobLauncher"), "jobRepository", repository.around(host.bean("jobRepository")));

            Throwable thrown = Batch.failure(() -> host.run("invoice", Batch.parameters()));

            assertThat(Batch.isAlreadyRunning(thrown)).isTrue();
            assertThat(thrown)
                    .hasMessageContaining("another launch came first in the job repository")
                    .cause()
                    .isSameAs(collision);
            assertThat(repository.thrown).isEqualTo(Launches.MOST_TRIES);
            assertThat(service.ended).containsExactly("batch:invoice un-claimed");
            host.close();
        }
        assertThat(logs.lines(Level.INFO, "the job repository refused it")).hasSize(4);
        Colliding once = new Colliding(new CannotAcquireLockException("could not serialize"), 1);
        Host.Node host = start(guard("invoice"));
        Fields.write(host.bean("jobLauncher"), "jobRepository", once.around(host.bean("jobRepository")));
        assertThat(Batch.status(host.run("invoice", Batch.parameters()))).isEqualTo("COMPLETED");
    }

    /** An exception of a driver, say, that needs a class which is not there. */
    @Test
    void anErrorWhileARefusalIsLookedAtGivesTheLockBack() {
        RuntimeException broken = new IllegalStateException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new NoClassDefFoundError("driver");
            }
        };
        Host.Node host = start(guard("invoice"));
        Fields.write(
                host.bean("jobLauncher"),
                "jobRepository",
                new Colliding(broken, 99).around(host.bean("jobRepository")));

        assertThat(Batch.failure(() -> host.run("invoice", Batch.parameters()))).isSameAs(broken);
        assertThat(service.ended).containsExactly("batch:invoice un-claimed");
    }

    /** Switched off, every lock is granted, that of an execution at work too. */
    @Test
    void whereGuardingIsSwitchedOffNoExecutionIsTakenForStale() throws Throwable {
        Host.Node host = start(guard("invoice").operator());
        host.bean(BatchGuard.class).setEnabled(false);
        BatchRecovery recovery = new BatchRecovery(host.bean(BatchGuard.class));
        List<Throwable> refused = new ArrayList<>();
        work.body(() -> {
            refused.add(Batch.failure(recovery::stale));
            refused.add(Batch.failure(() -> recovery.recover(1)));
        });

        assertThat(Batch.status(host.run("invoice", Batch.parameters()))).isEqualTo("COMPLETED");

        assertThat(refused)
                .hasSize(2)
                .allSatisfy(thrown -> assertThat(thrown)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'joblock.enabled'"));
        assertThat(service.asked).isEmpty();
    }

    @Test
    void theSlotIsAddedToAFreshStartAndToNoRestart() throws Throwable {
        Host.Node host = start(guard("invoice", policy("batch:invoice", it -> it.setSlotParameter("true"))));
        Slot first = Slot.of(StubService.NOW, StubService.NOW.plusSeconds(60), "");
        long millis = StubService.NOW.toEpochMilli();
        work.fail(true);
        inSlot(first, () -> host.run("invoice", Batch.parameters("n", 1L)));
        work.fail(false);
        Slot second = Slot.of(StubService.NOW.plusSeconds(60), StubService.NOW.plusSeconds(120), "");
        inSlot(second, () -> host.run("invoice", Batch.parameters("n", 1L, "joblock.slot", millis)));
        inSlot(second, () -> host.run("invoice", Batch.parameters("n", 1L)));
        host.run("invoice", Batch.parameters("n", 1L));

        assertThat(service.asked)
                .containsExactly(
                        "batch:invoice?joblock.slot=" + millis + "(Long)&n=1(Long)",
                        "batch:invoice?joblock.slot=" + millis + "(Long)&n=1(Long)",
                        "batch:invoice?joblock.slot=" + (millis + 60_000) + "(Long)&n=1(Long)",
                        "batch:invoice?n=1(Long)");
        assertThat(database.instances()).isEqualTo(3);
        assertThat(database.executions()).isEqualTo(4);
    }

    @Test
    void theSlotIsRefusedForAJobWithAnIncrementer() {
        Host host = guard("next", policy("batch:next", it -> it.setSlotParameter("true")))
                .beans("<bean id=\"incrementer\" class=\"%s\"/>".formatted(Batch.INCREMENTER))
                .job("next", "incrementer=\"incrementer\"", "work");

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> start(host))
                .withMessageStartingWith("Batch job 'next' has an incrementer")
                .withMessageContaining("take the incrementer away, or set 'joblock.batch.slot-parameter'");
    }

    @Test
    void aPatternThatMatchesNoJobIsAWarningOrFailsTheStart() {
        start(guard("invoice,imvoice", policy("batch:reprot", it -> {})));
        assertThat(logs.lines(Level.WARN, "The pattern 'imvoice' matches no Batch job; the jobs are [invoice]"))
                .hasSize(1);
        assertThat(logs.lines(Level.WARN, "The pattern 'reprot' matches no Batch job"))
                .hasSize(1);

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> start(strictGuard("imvoice")))
                .withMessageStartingWith("The pattern 'imvoice' matches no Batch job");
    }

    private void inSlot(Slot slot, Batch.Call call) {
        service.run(JobRun.slot("nightly", "lane", slot), () -> {
            try {
                call.run();
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        });
    }

    private Host.Node start(Host host) {
        node = host.start();
        return node;
    }

    private Host guard(String jobs, JobLockPolicy... policies) {
        return guard(jobs, "", false, policies);
    }

    private Host guard(String jobs, String launcher) {
        return guard(jobs, launcher, false);
    }

    private Host strictGuard(String jobs) {
        return guard(jobs, "", true);
    }

    private Host guard(String jobs, String launcher, boolean strict, JobLockPolicy... policies) {
        return Host.on(database)
                .work(work)
                .singleton("service", service)
                .singleton("policies", new JobLockPolicies(new JobLockPolicy(), List.of(policies)))
                .beans("""
                        <bean id="joblockBatchRuns" class="dev.joblock.batch.BatchRuns"/>
                        <bean id="joblockBatchGuard" class="dev.joblock.batch.BatchGuard" p:jobs="%s" p:strict="%s">
                            <constructor-arg ref="service"/>
                            <constructor-arg ref="policies"/>
                            <constructor-arg ref="joblockBatchRuns"/>
                        </bean>
                        <bean class="dev.joblock.batch.GuardedLaunchers"/>
                        """.formatted(jobs, strict))
                .job("invoice")
                .launcher(launcher);
    }

    private static JobLockPolicy policy(String jobs, Consumer<JobLockPolicy> setup) {
        JobLockPolicy policy = new JobLockPolicy();
        policy.setJobs(jobs);
        setup.accept(policy);
        return policy;
    }

    private static Throwable rootOf(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private static void quietly(Batch.Call call) {
        try {
            call.run();
        } catch (Throwable e) {
            // Which way is refused by Batch itself is not what is asked here.
        }
    }
}
