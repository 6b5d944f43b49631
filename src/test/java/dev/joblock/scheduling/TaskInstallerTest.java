package dev.joblock.scheduling;

import static dev.joblock.scheduling.TestHost.ANNOTATIONS;
import static dev.joblock.scheduling.TestHost.POOL;
import static dev.joblock.scheduling.TestHost.bean;
import static dev.joblock.scheduling.TestHost.policyFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.testing.Logs;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.config.Task;

/** Which tasks are guarded, under which names, and which starts fail with which sentence. */
class TaskInstallerTest {

    private static final String PLAIN = bean("plain", Beans.Plain.class);
    private static final String ANNOTATED = bean("annotated", Beans.Annotated.class);

    private static String xml(String... attributes) {
        StringBuilder tasks = new StringBuilder("<task:scheduled-tasks scheduler=\"pool\">");
        for (String task : attributes) {
            tasks.append("<task:scheduled ").append(task).append("/>");
        }
        return POOL + tasks + "</task:scheduled-tasks>";
    }

    private static String cron(String method) {
        return "ref=\"plain\" method=\"" + method + "\" cron=\"" + Beans.FAR + "\"";
    }

    private static List<Task> tasks(GenericXmlApplicationContext context) {
        List<Task> tasks = new ArrayList<>();
        for (ScheduledTaskHolder holder :
                context.getBeansOfType(ScheduledTaskHolder.class).values()) {
            for (ScheduledTask task : holder.getScheduledTasks()) {
                if (!tasks.contains(task.getTask())) {
                    tasks.add(task.getTask());
                }
            }
        }
        return tasks;
    }

    /** Runs every task once, as its scheduler would. */
    private static void runAll(GenericXmlApplicationContext context) {
        tasks(context).forEach(task -> task.getRunnable().run());
    }

    private static List<String> lanes(TestHost host) {
        return host.service.asked.stream().map(JobRun::lane).sorted().toList();
    }

    /** A Runnable that a host makes anew for each use. */
    public static final class OneUse implements Runnable {
        @Override
        public void run() {}
    }

    @Test
    void whatTheHostMakesForOneUseIsNotKept() {
        TestHost host = TestHost.guarding("plain.work");
        try (GenericXmlApplicationContext context = host.start(PLAIN, xml(cron("work")))) {
            WeakReference<Object> made =
                    new WeakReference<>(context.getAutowireCapableBeanFactory().createBean(OneUse.class));

            await().atMost(Duration.ofSeconds(30)).until(() -> {
                System.gc();
                return made.get() == null;
            });
            runAll(context);
            assertThat(lanes(host)).containsExactly("task:plain.work/xml-cron-1");
        }
    }

    @Test
    void anXmlTaskIsGuardedByBeanAndMethod() {
        TestHost host = TestHost.guarding("plain.work");
        try (GenericXmlApplicationContext context = host.start(PLAIN, xml(cron("work"), cron("other")))) {
            runAll(context);

            assertThat(host.service.events).containsExactly("granted task:plain.work", "released task:plain.work");
            assertThat(context.getBean(Beans.Plain.class).runs).hasValue(2);
            assertThat(host.service.asked.get(0).rule()).isEqualTo(JobRun.Rule.SLOT);
        }
    }

    @Test
    void withoutTheLockTheTaskIsNotRun() {
        TestHost host = TestHost.guarding("plain.*");
        host.service.denies = true;
        try (GenericXmlApplicationContext context = host.start(PLAIN, xml(cron("work")))) {
            runAll(context);

            assertThat(context.getBean(Beans.Plain.class).runs).hasValue(0);
        }
    }

    @Test
    void anAnnotatedTaskIsGuardedByBeanAndMethodAndEachCronIsALane() {
        TestHost host = TestHost.guarding("annotated.nightly");
        try (GenericXmlApplicationContext context = host.start(ANNOTATED, POOL, ANNOTATIONS)) {
            runAll(context);

            assertThat(lanes(host))
                    .containsExactly(
                            "task:annotated.nightly/annotation-cron-1", "task:annotated.nightly/annotation-cron-2");
            assertThat(context.getBean(Beans.Annotated.class).runs).hasValue(2);
        }
    }

    @Test
    void twoCronsInXmlOnOneMethodAreTwoLanes() {
        TestHost host = TestHost.guarding("*");
        try (GenericXmlApplicationContext context = host.start(PLAIN, xml(cron("work"), cron("work")))) {
            runAll(context);

            assertThat(lanes(host)).containsExactly("task:plain.work/xml-cron-1", "task:plain.work/xml-cron-2");
        }
    }

    @Test
    void proxiesOfBothKindsChangeNoNames() {
        for (String byClass : List.of("true", "false")) {
            TestHost host = TestHost.guarding("annotated.nightly");
            String aop = "<aop:config proxy-target-class=\"" + byClass + "\"><aop:advisor advice-ref=\"nothing\""
                    + " pointcut=\"execution(* dev.joblock.scheduling.Beans.Annotated.*(..))\"/></aop:config>"
                    + bean("nothing", Nothing.class)
                    + xml("ref=\"annotated\" method=\"nightly\" cron=\"" + Beans.FAR + "\"");
            try (GenericXmlApplicationContext context = host.start(ANNOTATED, ANNOTATIONS, aop)) {
                runAll(context);

                assertThat(lanes(host))
                        .containsExactly(
                                "task:annotated.nightly/annotation-cron-1",
                                "task:annotated.nightly/annotation-cron-2",
                                "task:annotated.nightly/xml-cron-1");
                assertThat(context.getBean(Beans.Api.class).runs()).isEqualTo(3);
                assertThat(context.getBean(Nothing.class).calls).isEqualTo(4);
            }
        }
    }

    static class Nothing implements MethodInterceptor {
        int calls;

        @Override
        public Object invoke(MethodInvocation invocation) throws Throwable {
            calls++;
            return invocation.proceed();
        }
    }

    @Test
    void ratesAndDelaysAskByTheirInterval() {
        TestHost host = TestHost.guarding("*");
        try (GenericXmlApplicationContext context = host.start(
                bean("polls", Beans.Intervals.class),
                PLAIN,
                ANNOTATIONS,
                xml("ref=\"plain\" method=\"work\" fixed-rate=\"3600000\" initial-delay=\"3600000\""))) {
            runAll(context);

            assertThat(host.service.asked)
                    .extracting(JobRun::lane, JobRun::interval, JobRun::isCountedFromEnd)
                    .containsExactlyInAnyOrder(
                            tuple("task:polls.rate/annotation-rate-1", Duration.ofHours(1), false),
                            tuple("task:polls.delay/annotation-delay-1", Duration.ofHours(2), true),
                            tuple("task:plain.work/xml-rate-1", Duration.ofHours(1), false));
        }
    }

    @Test
    void aPolicyOfQuartzJobsGuardsNoTask() {
        TestHost host = TestHost.guarding("").policy(policyFor("*"));
        try (GenericXmlApplicationContext context = host.start(PLAIN, xml(cron("work")))) {
            runAll(context);

            assertThat(host.service.asked).isEmpty();
            assertThat(tasks(context)).noneMatch(Tasks::isOurs);
        }
    }

    @Test
    void aPolicyNamesTasksWithThePrefixAndSetsTheMinimumInterval() {
        JobLockPolicy policy = policyFor("task:polls.*");
        policy.setMinInterval("6s");
        TestHost host = TestHost.guarding("").policy(policyFor("*")).policy(policy);
        try (GenericXmlApplicationContext context =
                host.start(bean("polls", Beans.Intervals.class), POOL, ANNOTATIONS)) {
            runAll(context);

            assertThat(host.service.asked)
                    .hasSize(2)
                    .allMatch(run -> run.interval().equals(Duration.ofSeconds(6)));
        }
    }

    @Test
    void aPrivateScheduledMethodIsGuardedSinceNoProxyIsNeeded() {
        TestHost host = TestHost.guarding("secrets.secret");
        try (GenericXmlApplicationContext context =
                host.start(bean("secrets", Beans.PrivateMethod.class), POOL, ANNOTATIONS)) {
            runAll(context);

            assertThat(host.service.events)
                    .containsExactly("granted task:secrets.secret", "released task:secrets.secret");
        }
    }

    @Test
    void theLockOfATaskThatReturnsAStageIsHeldUntilItIsComplete() {
        TestHost host = TestHost.guarding("*");
        try (GenericXmlApplicationContext context = host.start(PLAIN, xml(cron("later")))) {
            runAll(context);
            assertThat(host.service.events).containsExactly("granted task:plain.later");

            context.getBean(Beans.Plain.class).future.complete("done");
            assertThat(host.service.events).containsExactly("granted task:plain.later", "released task:plain.later");
        }
    }

    @Test
    void whatATaskThrowsGoesToTheScheduler() {
        TestHost host = TestHost.guarding("*");
        try (GenericXmlApplicationContext context = host.start(PLAIN, xml(cron("failing")))) {
            assertThatThrownBy(() -> runAll(context))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("broken");
        }
    }

    @Test
    void tasksOfEnableSchedulingAreGuarded() {
        TestHost host = TestHost.guarding("annotated.nightly");
        try (GenericXmlApplicationContext context =
                host.start("<context:annotation-config/>", bean("config", Beans.Enabling.class), ANNOTATED, POOL)) {
            runAll(context);

            assertThat(host.service.asked).hasSize(2);
        }
    }

    @Test
    void aLateBeanIsGuardedToo() {
        TestHost host = TestHost.guarding("late.nightly");
        try (GenericXmlApplicationContext context = host.start(
                "<bean id=\"late\" class=\"" + Beans.Annotated.class.getName() + "\" lazy-init=\"true\"/>",
                POOL,
                ANNOTATIONS)) {
            assertThat(tasks(context)).isEmpty();
            context.getBean("late");

            assertThat(tasks(context)).hasSize(2).allMatch(Tasks::isOurs);
        }
    }

    @Test
    void aRegistrarOfTheHostWithRunnableBeansIsGuardedByTheirNames() {
        TestHost host = TestHost.guarding("sweeper.run");
        try (GenericXmlApplicationContext context =
                host.start(bean("sweeper", Beans.Lambda.class), POOL, """
                <bean class="org.springframework.scheduling.config.ScheduledTaskRegistrar">
                    <property name="taskScheduler" ref="pool"/>
                    <property name="cronTasks"><map><entry key-ref="sweeper" value="%s"/></map></property>
                </bean>
                """.formatted(Beans.FAR))) {
            runAll(context);

            assertThat(host.service.events).containsExactly("granted task:sweeper.run", "released task:sweeper.run");
        }
    }

    @Test
    void anInnerBeanIsCalledByItsClass() {
        String inner = "<bean class=\"" + Beans.Outer.class.getName() + "\"><property name=\"inner\"><bean class=\""
                + Beans.Annotated.class.getName() + "\"/></property></bean>";
        TestHost host = TestHost.guarding("*");
        try (GenericXmlApplicationContext context = host.start(inner, POOL, ANNOTATIONS)) {
            runAll(context);

            assertThat(host.service.asked)
                    .hasSize(2)
                    .allMatch(run -> run.job().equals("task:" + Beans.Annotated.class.getName() + ".nightly"));
        }
        assertThat(TestHost.guarding("*").failure(inner, inner, POOL, ANNOTATIONS))
                .isEqualTo("Two inner beans of class '" + Beans.Annotated.class.getName()
                        + "' have scheduled methods, and nothing tells them apart on all nodes; give them ids");
    }

    @Test
    void aTaskThatComesFromNoBeanIsNamedAsUnguarded() {
        try (Logs logs = Logs.of(TaskGuard.class);
                GenericXmlApplicationContext context =
                        TestHost.guarding("*").start(bean("config", Beans.Configuring.class), POOL, ANNOTATIONS)) {
            assertThat(logs.lines(Level.WARN, "A scheduled task of class " + Beans.Lambda.class.getName()))
                    .singleElement()
                    .asString()
                    .contains("JobLockRunnable");
            assertThat(tasks(context)).hasSize(1).noneMatch(Tasks::isOurs);
        }
    }

    @Test
    void switchedOffNothingIsAsked() {
        TestHost host = TestHost.guarding("*");
        host.enabled = false;
        try (Logs logs = Logs.of(TaskGuard.class);
                GenericXmlApplicationContext context = host.start(PLAIN, xml(cron("work")))) {
            runAll(context);

            assertThat(host.service.asked).isEmpty();
            assertThat(context.getBean(Beans.Plain.class).runs).hasValue(1);
            assertThat(logs.lines(Level.INFO, "SWITCHED OFF, so that all run on every node"))
                    .hasSize(1);
        }
    }

    @Test
    void aDryRunAsksAndHoldsNothingBack() {
        TestHost host = TestHost.guarding("*");
        host.dryRun = true;
        host.service.denies = true;
        try (Logs logs = Logs.of(TaskGuard.class);
                GenericXmlApplicationContext context = host.start(PLAIN, xml(cron("work")))) {
            runAll(context);

            assertThat(host.service.events).containsExactly("denied task:plain.work");
            assertThat(context.getBean(Beans.Plain.class).runs).hasValue(1);
            assertThat(logs.lines(Level.INFO, "dry run: would not run on this node"))
                    .hasSize(1);
        }
    }

    @Test
    void onceTheContextClosesGuardedTasksAreNotBegun() {
        TestHost host = TestHost.guarding("*");
        GenericXmlApplicationContext context = host.start(PLAIN, xml(cron("work")));
        List<Task> tasks = tasks(context);
        context.close();
        try (Logs logs = Logs.of(TaskGuard.class)) {
            tasks.forEach(task -> task.getRunnable().run());

            assertThat(host.service.asked).isEmpty();
            assertThat(logs.lines(Level.INFO, "'task:plain.work' not run on this node: the application is closing"))
                    .hasSize(1);
        }
    }

    @Test
    void theTableTellsAllTasks() {
        JobLockPolicy policy = policyFor("task:polls.*");
        policy.setLease("2m");
        try (Logs logs = Logs.of(TaskGuard.class);
                GenericXmlApplicationContext context = TestHost.guarding("plain.work")
                        .policy(policy)
                        .start(
                                PLAIN,
                                bean("polls", Beans.Intervals.class),
                                ANNOTATIONS,
                                xml(cron("work"), cron("other")))) {
            assertThat(context.isActive()).isTrue();
            assertThat(logs.lines(Level.INFO, "Joblock guards"))
                    .singleElement()
                    .asString()
                    .startsWith("Joblock guards 3 of 4 scheduled tasks of Spring\n")
                    .containsPattern("task +schedule +lane +guarded +rule +mode +lease +next slot")
                    .containsPattern(
                            "plain.work +cron 0 0 3 1 1 \\* \\S+ +task:plain.work/xml-cron-1 +by tasks 'plain.work'"
                                    + " +slot +hash-timestamp +30s +\\d{4}-01-01T03:00")
                    .containsPattern("plain.other +cron 0 0 3 1 1 \\* \\S+ +- +no, nothing names it")
                    .containsPattern("polls.rate +fixed rate 1h +task:polls.rate/annotation-rate-1 +by policy"
                            + " 'task:polls.\\*' +interval +hash-timestamp +2m +-");
        }
    }

    @Test
    void aPatternWithoutTaskIsAWarningAndAnErrorIfStrict() {
        String sentence =
                "The pattern 'task:plain.wrok' matches no scheduled task; the tasks are [plain.work]. Write the"
                        + " bean's name, a dot and the method; * stands for any characters";
        try (Logs logs = Logs.of(TaskGuard.class);
                GenericXmlApplicationContext context =
                        TestHost.guarding("plain.wrok").start(PLAIN, xml(cron("work")))) {
            assertThat(context.isActive()).isTrue();
            assertThat(logs.lines(Level.WARN, sentence)).hasSize(1);
        }
        TestHost strict = TestHost.guarding("plain.wrok");
        strict.strict = true;
        assertThat(strict.failure(PLAIN, xml(cron("work")))).isEqualTo(sentence);
    }

    @Test
    void aRetryThatHasNoEffectForWantOfOneSchedulerIsWarnedOf() {
        String another = TestHost.POOL.replace("\"pool\"", "\"another\"");
        JobLockPolicy policy = policyFor("task:plain.*");
        policy.setRetry("5m");
        try (Logs logs = Logs.of(TaskGuard.class);
                GenericXmlApplicationContext context =
                        TestHost.guarding("").policy(policy).start(PLAIN, another, xml(cron("work")))) {
            assertThat(context.isActive()).isTrue();
            assertThat(logs.lines(Level.WARN, "'retry' and 'rerun' have no effect on scheduled tasks of Spring"))
                    .singleElement()
                    .asString()
                    .endsWith("This concerns [plain.work]");
        }
    }

    @Test
    void aTriggerThatNodesDoNotShareIsExclusiveWithAWarning() {
        String trigger = "<bean id=\"odd\" class=\"org.springframework.scheduling.support.PeriodicTrigger\">"
                + "<constructor-arg value=\"3600000\" type=\"long\"/><property name=\"initialDelay\" value=\"3600000\"/></bean>";
        TestHost host = TestHost.guarding("plain.work");
        try (Logs logs = Logs.of(TaskGuard.class);
                GenericXmlApplicationContext context =
                        host.start(PLAIN, trigger, xml("ref=\"plain\" method=\"work\" trigger=\"odd\""))) {
            runAll(context);

            assertThat(host.service.asked.get(0).rule()).isEqualTo(JobRun.Rule.EXCLUSIVE);
            assertThat(logs.lines(Level.WARN, "set minInterval in a JobLockPolicy with jobs=\"task:plain.work\""))
                    .hasSize(1);
        }
    }

    @Test
    void aCronTriggerBeanHasSlots() {
        String trigger = "<bean id=\"cron\" class=\"org.springframework.scheduling.support.CronTrigger\">"
                + "<constructor-arg value=\"" + Beans.FAR + "\"/></bean>";
        TestHost host = TestHost.guarding("plain.work");
        try (GenericXmlApplicationContext context =
                host.start(PLAIN, trigger, xml("ref=\"plain\" method=\"work\" trigger=\"cron\""))) {
            runAll(context);

            assertThat(host.service.asked.get(0).rule()).isEqualTo(JobRun.Rule.SLOT);
        }
    }

    @Test
    void anAsyncVoidTaskFailsTheStart() {
        assertThat(TestHost.guarding("*").failure(bean("mails", Beans.AsyncVoid.class), POOL, ANNOTATIONS))
                .isEqualTo(
                        "'mails.fire' is to be guarded and is @Async without telling when it ends: its lock would end at"
                                + " once, while it works on; return a CompletableFuture, take @Async away, or write @JobLocked on a"
                                + " method that it calls");
    }

    @Test
    void aReactiveTaskFailsTheStart() {
        assertThat(TestHost.guarding("*").failure(bean("feed", Beans.Reactive.class), POOL, ANNOTATIONS))
                .startsWith(
                        "'feed.stream' is to be guarded and returns a java.util.concurrent.Flow$Publisher, whose work"
                                + " begins after the method has returned");
    }

    @Test
    void aOneTimeTaskFailsTheStart() {
        assertThat(TestHost.guarding("*").failure(bean("cache", Beans.Once.class), POOL, ANNOTATIONS))
                .startsWith("The task 'cache.warmUp' is to be guarded and runs once after each start of a node")
                .contains("Exclude it with '!cache.warmUp'");
    }

    @Test
    void whatIsNotGuardedMayBeAnything() {
        try (GenericXmlApplicationContext context =
                TestHost.guarding("nothing.*").start(bean("mails", Beans.AsyncVoid.class), POOL, ANNOTATIONS)) {
            assertThat(tasks(context)).hasSize(1);
        }
    }

    @Test
    void aChildContextWithoutTheImportFailsItsStart() {
        try (GenericXmlApplicationContext parent =
                TestHost.guarding("plain.work").start()) {
            TestHost child = new TestHost();
            child.kit = false;
            child.parent = parent;

            assertThat(child.failure(PLAIN, xml(cron("work"))))
                    .startsWith(
                            "The task 'plain.work' is to be guarded by tasks 'plain.work' and is scheduled past the guard")
                    .endsWith(
                            "add <import resource=\"classpath:spring/joblock-scheduling.xml\"/> to the XML of the child");
        }
    }

    @Test
    void aProcessorThatIsBuiltOtherwiseFailsTheStart() {
        String own = "<bean class=\"org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor\">"
                + "<constructor-arg><bean class=\"dev.joblock.scheduling.TaskInstallerTest$OwnRegistrar\"/></constructor-arg>"
                + "<property name=\"scheduler\" ref=\"pool\"/></bean>";
        assertThat(TestHost.guarding("annotated.*").failure(ANNOTATED, POOL, own))
                .startsWith(
                        "The task 'annotated.nightly' is to be guarded by tasks 'annotated.*' and is scheduled past the"
                                + " guard, since the ScheduledAnnotationBeanPostProcessor");
    }

    static class OwnRegistrar extends ScheduledTaskRegistrar {}
}
