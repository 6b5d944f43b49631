package dev.joblock.scheduling;

import static dev.joblock.scheduling.TestHost.ANNOTATIONS;
import static dev.joblock.scheduling.TestHost.POOL;
import static dev.joblock.scheduling.TestHost.bean;
import static dev.joblock.scheduling.TestHost.policyFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.joblock.JobCatalog;
import dev.joblock.JobLockException;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.JobStarter;
import dev.joblock.NodeInfo;
import dev.joblock.Nodes;
import dev.joblock.RegisteredJob;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TimeZone;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.CronTask;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.util.ErrorHandler;

/** Which tasks a node lists and how, and what becomes of one that a person starts. */
class TaskCatalogTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String PLAIN = bean("plain", Beans.Plain.class);
    private static final String ANNOTATED = bean("annotated", Beans.Annotated.class);
    private static final String FAR = "cron " + Beans.FAR;

    /** Hears what tasks throw, as a bean of the host does. */
    public static final class Heard implements ErrorHandler {
        final List<Throwable> errors = new CopyOnWriteArrayList<>();

        @Override
        public void handleError(Throwable error) {
            errors.add(error);
        }
    }

    /** Its runs are recorded under a name that stands in the annotation, or comes about at a run. */
    static class Renamed {
        @JobLocked(job = "book")
        @Scheduled(cron = Beans.FAR)
        public void fixed() {}

        @JobLocked(job = "book-#{@plain.runs.get()}")
        @Scheduled(cron = Beans.FAR)
        public void told() {}
    }

    private static String xml(String... tasks) {
        return POOL + "<task:scheduled-tasks scheduler=\"pool\">" + String.join("", tasks) + "</task:scheduled-tasks>";
    }

    private static String task(String method, String schedule) {
        return "<task:scheduled ref=\"plain\" method=\"" + method + "\" " + schedule + "/>";
    }

    private static final String CRON = "cron=\"" + Beans.FAR + "\"";

    private static List<RegisteredJob> jobs(ApplicationContext context) {
        return context.getBean("catalog", JobCatalog.class).jobs();
    }

    private static JobStarter starter(ApplicationContext context) {
        return context.getBean("catalog", JobStarter.class);
    }

    @Test
    void tasksOfAllKindsAreListedAsPoliciesAndLedgerKnowThem() {
        JobLockPolicy policy = policyFor("task:plain.work");
        policy.setLockName("shared");
        TestHost host = TestHost.guarding("annotated.*,plain.later").policy(policy);
        String zone = TimeZone.getDefault().getID();
        try (GenericXmlApplicationContext context = host.start(
                PLAIN,
                ANNOTATED,
                ANNOTATIONS,
                xml(
                        task("work", CRON),
                        task("work", "fixed-rate=\"3600000\" initial-delay=\"3600000\""),
                        task("later", "fixed-delay=\"7200000\" initial-delay=\"3600000\""),
                        task("other", CRON)))) {
            assertThat(jobs(context))
                    .extracting(
                            RegisteredJob::job,
                            RegisteredJob::lockName,
                            RegisteredJob::trigger,
                            RegisteredJob::schedule,
                            RegisteredJob::zone,
                            RegisteredJob::isGuarded,
                            job -> job.next().isPresent(),
                            job -> job.previous().isPresent())
                    .containsExactlyInAnyOrder(
                            tuple("task:plain.work", "shared", "xml-cron-1", FAR, zone, true, true, false),
                            tuple("task:plain.work", "shared", "xml-rate-1", "fixed rate 1h", "", true, false, false),
                            tuple(
                                    "task:plain.later",
                                    "task:plain.later",
                                    "xml-delay-1",
                                    "fixed delay 2h",
                                    "",
                                    true,
                                    false,
                                    false),
                            tuple("task:plain.other", "task:plain.other", "cron", FAR, zone, false, false, false),
                            tuple(
                                    "task:annotated.nightly",
                                    "task:annotated.nightly",
                                    "annotation-cron-1",
                                    FAR,
                                    zone,
                                    true,
                                    true,
                                    false),
                            tuple(
                                    "task:annotated.nightly",
                                    "task:annotated.nightly",
                                    "annotation-cron-2",
                                    "cron 0 0 4 1 1 *",
                                    "Europe/Berlin",
                                    true,
                                    true,
                                    false));
        }
    }

    @Test
    void switchedOffAllAreListedAsUnguarded() {
        TestHost host = TestHost.guarding("*");
        host.enabled = false;
        try (GenericXmlApplicationContext context = host.start(PLAIN, xml(task("work", CRON)))) {
            assertThat(jobs(context)).hasSize(1).noneMatch(RegisteredJob::isGuarded);
        }
    }

    @Test
    void aTaskWhoseAnnotationNamesItsJobIsListedUnderThatNameAndNoFireTimeIsToldOfOneThatIsNamedAtARun() {
        try (GenericXmlApplicationContext context =
                new TestHost().start(PLAIN, bean("renamed", Renamed.class), POOL, ANNOTATIONS)) {
            assertThat(jobs(context))
                    .extracting(RegisteredJob::job, job -> job.next().isPresent())
                    .containsExactlyInAnyOrder(tuple("book", true), tuple("task:renamed.told", false));
        }
    }

    @Test
    void aLateBeanIsListedUntilItIsDestroyed() {
        TestHost host = TestHost.guarding("*");
        try (GenericXmlApplicationContext context = host.start(
                "<bean id=\"late\" class=\"" + Beans.Annotated.class.getName() + "\" lazy-init=\"true\"/>",
                PLAIN,
                ANNOTATIONS,
                xml(task("work", CRON)))) {
            assertThat(jobs(context)).hasSize(1);
            context.getBean("late");
            assertThat(jobs(context)).hasSize(3);
            context.getDefaultListableBeanFactory().destroySingleton("late");
            assertThat(jobs(context)).extracting(RegisteredJob::job).containsExactly("task:plain.work");
        }
    }

    /** A host that plans anew by hand, again and again, must not fill the list; nor be alarmed by what it has cancelled. */
    @Test
    void whatTheHostSchedulesByHandAfterTheStartIsNotListed() {
        String sweeper = bean("sweeper", Beans.Lambda.class);
        try (GenericXmlApplicationContext context =
                TestHost.guarding("*").start(bean("planner", Planner.class), sweeper, POOL, ANNOTATIONS)) {
            Planner planner = context.getBean(Planner.class);
            assertThat(jobs(context)).isEmpty();
            for (int i = 0; i < 3; i++) {
                CronTask task = new CronTask(context.getBean(Beans.Lambda.class), Beans.FAR);
                ScheduledTask planned =
                        Objects.requireNonNull(planner.registrar().scheduleCronTask(task));
                assertThat(Tasks.isOurs(planned.getTask())).isTrue();
                planned.cancel();
            }
            assertThat(jobs(context)).isEmpty();
        }
    }

    /** Keeps the registrar that it is given. */
    static class Planner implements SchedulingConfigurer {
        private @Nullable ScheduledTaskRegistrar registrar;

        @Override
        public void configureTasks(ScheduledTaskRegistrar given) {
            registrar = given;
        }

        ScheduledTaskRegistrar registrar() {
            return Objects.requireNonNull(registrar);
        }
    }

    @Test
    void theTasksOfAChildStandInTheListOfItsParentUntilItCloses() {
        TestHost host = TestHost.guarding("*");
        try (GenericXmlApplicationContext parent = host.start(PLAIN, xml(task("work", CRON)))) {
            TestHost below = TestHost.guarding("*");
            below.parent = parent;
            try (GenericXmlApplicationContext child = below.start(PLAIN, xml(task("other", CRON)))) {
                assertThat(jobs(parent))
                        .extracting(RegisteredJob::job)
                        .containsExactly("task:plain.work", "task:plain.other");
                assertThat(starter(parent).start("task:plain.other", "anna")).isTrue();
                await().atMost(PATIENCE)
                        .until(() -> child.getBean(Beans.Plain.class).runs.get() == 1);
                assertThat(below.service.asked).hasSize(1);
            }
            assertThat(jobs(parent)).extracting(RegisteredJob::job).containsExactly("task:plain.work");
        }
    }

    /** As where a child imports the whole kit. */
    static class OwnNodes implements Nodes {
        @Override
        public List<NodeInfo> nodes() {
            return List.of();
        }

        @Override
        public boolean isRedisOutlier() {
            return false;
        }
    }

    @Test
    void aChildThatIsANodeOfItsOwnListsItsTasksItself() {
        try (GenericXmlApplicationContext parent = TestHost.guarding("*").start(PLAIN, xml(task("work", CRON)))) {
            TestHost below = TestHost.guarding("*");
            below.parent = parent;
            try (GenericXmlApplicationContext child =
                    below.start(PLAIN, bean("nodes", OwnNodes.class), xml(task("other", CRON)))) {
                assertThat(jobs(child)).extracting(RegisteredJob::job).containsExactly("task:plain.other");
                assertThat(jobs(parent)).extracting(RegisteredJob::job).containsExactly("task:plain.work");
            }
        }
    }

    @Test
    void aTaskThatAPersonStartsRunsOnceOnTheSchedulerUnderItsLockAndInNoLane() {
        TestHost host = TestHost.guarding("*");
        try (GenericXmlApplicationContext context = host.start(PLAIN, xml(task("work", CRON)))) {
            assertThat(starter(context).start("task:plain.work", "anna")).isTrue();

            await().atMost(PATIENCE).until(() -> host.service.events.contains("released task:plain.work"));
            assertThat(context.getBean(Beans.Plain.class).runs).hasValue(1);
            assertThat(host.service.asked)
                    .extracting(JobRun::rule, JobRun::origin, run -> run.by().orElse(""), JobRun::lane)
                    .containsExactly(tuple(JobRun.Rule.EXCLUSIVE, JobRun.Origin.MANUAL, "anna", ""));
            assertThat(jobs(context).get(0).previous()).isEmpty();
            assertThat(starter(context).start("task:plain.unknown", "anna")).isFalse();
        }
    }

    @Test
    void aManualRunThatIsDeniedDoesNotRun() {
        TestHost host = TestHost.guarding("*");
        host.service.denies = true;
        try (GenericXmlApplicationContext context = host.start(PLAIN, xml(task("work", CRON)))) {
            assertThat(starter(context).start("task:plain.work", "anna")).isTrue();

            await().atMost(PATIENCE).until(() -> host.service.events.contains("denied task:plain.work"));
            context.getBean("pool", ThreadPoolTaskScheduler.class).destroy();
            assertThat(context.getBean(Beans.Plain.class).runs).hasValue(0);
        }
    }

    @Test
    void whatAManualRunThrowsGoesToTheErrorHandlerOfTheScheduler() {
        TestHost host = TestHost.guarding("*");
        String pool = xml(task("failing", CRON)).replace("p:poolSize", "p:errorHandler-ref=\"heard\" p:poolSize");
        try (GenericXmlApplicationContext context = host.start(PLAIN, bean("heard", Heard.class), pool)) {
            assertThat(starter(context).start("task:plain.failing", "anna")).isTrue();

            List<Throwable> errors = context.getBean(Heard.class).errors;
            await().atMost(PATIENCE).until(() -> errors.size() == 1);
            assertThat(errors.get(0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("broken");
            assertThat(host.service.events).contains("released task:plain.failing: broken");
        }
    }

    @Test
    void whatCannotBeStartedByHandSaysWhy() {
        TestHost host = TestHost.guarding("plain.work");
        try (GenericXmlApplicationContext context = host.start(
                PLAIN, xml(task("work", CRON), task("other", CRON)) + bean("second", ThreadPoolTaskScheduler.class))) {
            assertThatThrownBy(() -> starter(context).start("task:plain.other", "anna"))
                    .isInstanceOf(JobLockException.class)
                    .hasMessageContaining("a scheduled task of Spring that is not guarded here");
            assertThatThrownBy(() -> starter(context).start("task:plain.work", "anna"))
                    .isInstanceOf(JobLockException.class)
                    .hasMessageContaining("no TaskScheduler bean to run it by hand");
        }
        GenericXmlApplicationContext closed = host.start(PLAIN, xml(task("work", CRON)));
        JobStarter starter = starter(closed);
        closed.close();
        assertThatThrownBy(() -> starter.start("task:plain.work", "anna")).isInstanceOf(JobLockException.class);
        assertThat(host.service.asked).isEmpty();
    }
}
