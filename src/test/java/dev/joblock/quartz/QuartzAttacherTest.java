package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobLockService;
import dev.joblock.LockMode;
import dev.joblock.LockStore;
import dev.joblock.engine.DefaultJobLockService;
import dev.joblock.testing.Logs;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.JobKey;
import org.quartz.JobListener;
import org.quartz.Matcher;
import org.quartz.Scheduler;
import org.quartz.SchedulerListener;
import org.quartz.TriggerKey;
import org.quartz.TriggerListener;
import org.quartz.impl.matchers.KeyMatcher;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.context.support.GenericXmlApplicationContext;

/** Contexts in which no job fires, so that no store is asked. */
class QuartzAttacherTest {
    private static final String HAND_WIRED = """
            <bean id="own" class="dev.joblock.quartz.JobLockQuartzListener" p:jobs="*">
                <constructor-arg ref="service"/>
                <constructor-arg ref="policies"/>
            </bean>
            """;
    private static final String GENERATED_JOB = """
            <bean class="org.springframework.scheduling.quartz.CronTriggerFactoryBean" name="%s" p:cronExpression="0 0 3 * * ?">
                <property name="jobDetail">
                    <bean class="org.springframework.scheduling.quartz.JobDetailFactoryBean" p:jobClass="dev.joblock.quartz.ShortJob"/>
                </property>
            </bean>
            """;
    private static final String GENERATED_TRIGGER = """
            <bean class="org.springframework.scheduling.quartz.CronTriggerFactoryBean"
                  p:jobDetail-ref="invoice" p:cronExpression="%s"/>
            """;
    private static final String INVOICE = Host.job("invoice", "invoiceTrigger", "0 0 3 * * ?");
    private static final String SCHEDULER = Host.scheduler("scheduler", "", Host.ref("invoiceTrigger"));

    private final DefaultJobLockService service = service();

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void listenerIsLastToVetoAndFirstToReleaseAndItsStartListenerLast() throws Exception {
        try (GenericXmlApplicationContext context = start(
                """
                <bean id="neighbour" class="dev.joblock.quartz.RecordingListener"/>
                """,
                INVOICE,
                Host.scheduler(
                        "scheduler",
                        "p:globalTriggerListeners-ref=\"neighbour\" p:globalJobListeners-ref=\"neighbour\"",
                        Host.ref("invoiceTrigger")),
                Host.kit("*"))) {
            Scheduler scheduler = context.getBean("scheduler", Scheduler.class);
            Object kit = context.getBean("kitListener");
            Object neighbour = context.getBean("neighbour");

            List<JobListener> jobListeners = scheduler.getListenerManager().getJobListeners();
            assertThat(scheduler.getListenerManager().getTriggerListeners()).isEqualTo(List.of(neighbour, kit));
            assertThat(jobListeners.subList(0, 2)).isEqualTo(List.of(kit, neighbour));
            assertThat(jobListeners.get(2)).isInstanceOf(StartListener.class);
            assertThat(jobListeners).hasSize(3);
            assertThat(scheduler.getListenerManager().getSchedulerListeners())
                    .filteredOn(ErrorListener.class::isInstance)
                    .hasSize(1);
        }
    }

    @Test
    void neighboursKeepTheirMatchersAndTheirOrder() throws Exception {
        Scheduler scheduler = QuartzNode.scheduler(1, Duration.ofMinutes(1));
        try {
            RecordingListener one = new RecordingListener();
            RecordingListener other = new RecordingListener();
            Matcher<JobKey> some = KeyMatcher.keyEquals(JobKey.jobKey("some"));
            Matcher<TriggerKey> trigger = KeyMatcher.keyEquals(TriggerKey.triggerKey("some"));
            JobLockQuartzListener listener = listener();
            scheduler.getListenerManager().addTriggerListener(listener, trigger);
            scheduler.getListenerManager().addTriggerListener(one);
            scheduler.getListenerManager().addJobListener(one, some);
            scheduler.getListenerManager().addJobListener(other);
            scheduler.getListenerManager().addJobListener(listener, some);

            Wiring.attach(scheduler, listener);
            Wiring.attach(scheduler, listener);

            List<JobListener> jobs = scheduler.getListenerManager().getJobListeners();
            assertThat(jobs.subList(0, 3)).isEqualTo(List.of(listener, one, other));
            assertThat(jobs).hasSize(4);
            assertThat(scheduler.getListenerManager().getJobListenerMatchers(one.getName()))
                    .isEqualTo(List.of(some));
            assertThat(scheduler.getListenerManager().getJobListenerMatchers(listener.getName()))
                    .isEqualTo(List.of(some));
            assertThat(scheduler.getListenerManager().getTriggerListeners()).isEqualTo(List.of(one, listener));
            assertThat(scheduler.getListenerManager().getTriggerListenerMatchers(listener.getName()))
                    .isEqualTo(List.of(trigger));
        } finally {
            scheduler.shutdown();
        }
    }

    @Test
    void everySchedulerOfContextParentAndChildIsGuarded() throws Exception {
        try (GenericXmlApplicationContext parent = start(Host.scheduler("upper", ""));
                GenericXmlApplicationContext context = Host.start(
                        parent,
                        service,
                        new JobLockPolicy[0],
                        Host.scheduler("one", ""),
                        Host.scheduler("other", "lazy-init=\"true\""),
                        Host.kit("*"));
                GenericXmlApplicationContext child =
                        Host.start(context, service, new JobLockPolicy[0], Host.scheduler("lower", ""))) {
            JobLockQuartzListener kit = context.getBean(JobLockQuartzListener.class);
            for (String bean : List.of("upper", "one", "other", "lower")) {
                assertThat(Wiring.find(child.getBean(bean, Scheduler.class)))
                        .as(bean)
                        .isEqualTo(List.of(kit));
            }
        }
    }

    @Test
    void schedulersOfChildContextsThatHaveEndedAreForgotten() {
        try (GenericXmlApplicationContext context =
                Host.start(null, service, new JobLockPolicy[0], Host.scheduler("one", ""), Host.kit("*"))) {
            for (int i = 0; i < 3; i++) {
                Host.start(context, service, new JobLockPolicy[0], Host.scheduler("lower", ""))
                        .close();
            }
            try (GenericXmlApplicationContext child =
                    Host.start(context, service, new JobLockPolicy[0], Host.scheduler("lower", ""))) {
                assertThat(context.getBean(QuartzAttacher.class).attached())
                        .containsExactlyInAnyOrder(
                                context.getBean("one", Scheduler.class), child.getBean("lower", Scheduler.class));
            }
        }
    }

    @Test
    void listenerThatIsWiredByHandIsRecognised() throws Exception {
        try (GenericXmlApplicationContext context = start(
                HAND_WIRED,
                INVOICE,
                Host.scheduler(
                        "scheduler",
                        "p:globalTriggerListeners-ref=\"own\" p:globalJobListeners-ref=\"own\"",
                        Host.ref("invoiceTrigger")),
                Host.kit("*"))) {
            assertThat(Wiring.find(context.getBean("scheduler", Scheduler.class)))
                    .isEqualTo(List.of(context.getBean("own")));
        }
    }

    @Test
    void listenerOfTheImportThatIsAlsoWiredByHandIsThereOnce() throws Exception {
        try (GenericXmlApplicationContext context = start(
                INVOICE,
                Host.scheduler(
                        "scheduler",
                        "p:globalTriggerListeners-ref=\"kitListener\" p:globalJobListeners-ref=\"kitListener\"",
                        Host.ref("invoiceTrigger")),
                Host.kit("*"))) {
            Scheduler scheduler = context.getBean("scheduler", Scheduler.class);
            assertThat(scheduler.getListenerManager().getTriggerListeners()).hasSize(1);
            assertThat(scheduler.getListenerManager().getJobListeners()).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"p:globalJobListeners-ref=\"own\"", "p:globalTriggerListeners-ref=\"own\""})
    void wiringByHandInOneRoleFailsTheStart(String roles) {
        assertThatThrownBy(() ->
                        start(HAND_WIRED, INVOICE, Host.scheduler("scheduler", roles, Host.ref("invoiceTrigger"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("scheduler-")
                .hasMessageContaining(
                        roles.contains("Job") ? "job listener only and so cannot veto" : "trigger listener only")
                .hasMessageContaining(
                        roles.contains("Job") ? "name the same bean in globalTriggerListeners" : "globalJobListeners");
    }

    @Test
    void wiringByHandInOneRoleFailsTheStartBesideTheImportToo() {
        assertThatThrownBy(() -> start(
                        HAND_WIRED,
                        INVOICE,
                        Host.scheduler("scheduler", "p:globalJobListeners-ref=\"own\"", Host.ref("invoiceTrigger")),
                        Host.kit("*")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("job listener only and so cannot veto");
    }

    @Test
    void innerBeanInOneRoleFailsTheStart() {
        String inner = HAND_WIRED.replace("id=\"own\" ", "");
        assertThatThrownBy(() -> start(INVOICE, """
                        <bean id="scheduler" class="org.springframework.scheduling.quartz.SchedulerFactoryBean"
                              p:schedulerName="inner" p:autoStartup="false">
                            <property name="globalJobListeners">%s</property>
                        </bean>
                        """.formatted(inner)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("job listener only and so cannot veto");
    }

    @Test
    void wiringByHandIsCompletedWithoutTheImport() throws Exception {
        try (Logs logs = Logs.of(QuartzAttacher.class);
                GenericXmlApplicationContext context = start(
                        HAND_WIRED,
                        INVOICE,
                        Host.scheduler(
                                "scheduler",
                                "p:globalTriggerListeners-ref=\"own\" p:globalJobListeners-ref=\"own\"",
                                Host.ref("invoiceTrigger")))) {
            Scheduler scheduler = context.getBean("scheduler", Scheduler.class);
            assertThat(scheduler.getListenerManager().getJobListeners()).hasSize(2);
            assertThat(scheduler.getListenerManager().getSchedulerListeners())
                    .hasAtLeastOneElementOfType(ErrorListener.class);
            assertThat(logs.lines(Level.INFO, scheduler.getSchedulerName())).hasSize(1);
        }
    }

    @Test
    void listenerOnNoSchedulerIsAWarning() {
        try (Logs logs = Logs.of(JobLockQuartzListener.class);
                GenericXmlApplicationContext context = start(HAND_WIRED, INVOICE, SCHEDULER)) {
            assertThat(context.isActive()).isTrue();
            assertThat(logs.lines(Level.WARN, "wired to no scheduler and guards nothing"))
                    .hasSize(1);
        }
    }

    @Test
    void startIsToldInOneTable() throws Exception {
        JobLockPolicy policy = policy("nightly.*");
        policy.setMode("status-time");
        policy.setLease("2m");
        policy.setRetry("5m");
        policy.setRerun("true");
        policy.setWhenStoreDown("run");
        try (Logs logs = Logs.of(QuartzAttacher.class);
                GenericXmlApplicationContext context = Host.start(
                        service,
                        new JobLockPolicy[] {policy},
                        INVOICE,
                        Host.job("local", "localTrigger", "0 0 4 * * ?"),
                        """
                        <bean id="report" class="org.springframework.scheduling.quartz.JobDetailFactoryBean"
                              p:jobClass="dev.joblock.quartz.ShortJob" p:group="nightly"/>
                        <bean id="reportTrigger" class="org.springframework.scheduling.quartz.CronTriggerFactoryBean"
                              p:jobDetail-ref="report" p:cronExpression="0 0 3 1 1 ? 2099" p:timeZone="GMT+05:30"/>
                        <bean id="poll" class="org.springframework.scheduling.quartz.JobDetailFactoryBean"
                              p:jobClass="dev.joblock.quartz.ShortJob"/>
                        <bean id="pollTrigger" class="org.springframework.scheduling.quartz.SimpleTriggerFactoryBean"
                              p:jobDetail-ref="poll" p:repeatInterval="60000"/>
                        """,
                        Host.scheduler(
                                "scheduler",
                                "",
                                Host.ref("invoiceTrigger"),
                                Host.ref("localTrigger"),
                                Host.ref("reportTrigger"),
                                Host.ref("pollTrigger")),
                        Host.kit("inv*,poll"))) {
            String name = context.getBean("scheduler", Scheduler.class).getSchedulerName();
            List<String> tables = logs.lines(Level.INFO, name);
            assertThat(tables).hasSize(1);
            assertThat(tables.get(0).lines().map(line -> line.trim().replaceAll(" {2,}", " | ")))
                    .hasSize(6)
                    .startsWith(
                            "Joblock guards 3 of 4 triggers of scheduler '" + name + "' on node n1",
                            "job | trigger | lane | guarded | mode | lease | if denied or lost | next slot")
                    .anyMatch(
                            row -> row.startsWith(
                                    "invoice | invoiceTrigger | invoice/invoiceTrigger | by jobs 'inv*' | hash-timestamp | 30s | - | 2"))
                    .anyMatch(row -> row.startsWith("local | localTrigger | - | no, nothing names it | - | - | - | 2"))
                    .anyMatch(row ->
                            row.startsWith("poll | pollTrigger | poll/pollTrigger | by jobs 'poll' | hash-timestamp"))
                    .contains(
                            "nightly.report | reportTrigger | nightly.report/reportTrigger | by policy 'nightly.*' | status-time | 2m"
                                    + " | retry 5m, rerun, RUNS WITHOUT LOCK when store down | 2099-01-01T03:00+05:30");
            assertThat(logs.lines(Level.WARN, "")).isEmpty();
        }
    }

    @Test
    void switchesAreToldInTheTable() {
        try (Logs logs = Logs.of(QuartzAttacher.class);
                GenericXmlApplicationContext off =
                        start(INVOICE, SCHEDULER, Host.kit("*").replace("p:jobs", "p:enabled=\"false\" p:jobs"));
                GenericXmlApplicationContext dry =
                        start(INVOICE, SCHEDULER, Host.kit("*").replace("p:jobs", "p:dryRun=\"true\" p:jobs"))) {
            assertThat(off.isActive() && dry.isActive()).isTrue();
            assertThat(logs.lines(Level.INFO, "SWITCHED OFF")).hasSize(1);
            assertThat(logs.lines(Level.INFO, "DRY RUN")).hasSize(1);
        }
    }

    @Test
    void withoutPolicyOrPatternOneWarningListsEveryUnguardedTrigger() {
        try (Logs logs = Logs.of(QuartzAttacher.class);
                GenericXmlApplicationContext context = start(
                        INVOICE,
                        Host.job("local", "localTrigger", "0 0 4 * * ?"),
                        SCHEDULER,
                        Host.scheduler("other", "", Host.ref("localTrigger")),
                        Host.kit(""))) {
            assertThat(context.isActive()).isTrue();
            assertThat(logs.lines(Level.WARN, ""))
                    .singleElement()
                    .asString()
                    .contains("neither a JobLockPolicy bean nor the property joblock.quartz.jobs")
                    .contains("DEFAULT.invoiceTrigger of 'invoice'", "DEFAULT.localTrigger of 'local'");
        }
    }

    @Test
    void patternThatMatchesNoJobIsAWarning() {
        try (Logs logs = Logs.of(QuartzAttacher.class);
                GenericXmlApplicationContext context = Host.start(
                        service, new JobLockPolicy[] {policy("reprot")}, INVOICE, SCHEDULER, Host.kit("inv*,x*"))) {
            assertThat(context.isActive()).isTrue();
            assertThat(logs.lines(Level.WARN, "")).hasSize(2).allMatch(line -> line.contains("the jobs are [invoice]"));
            assertThat(logs.lines(Level.WARN, "'reprot' matches no Quartz job")).hasSize(1);
            assertThat(logs.lines(Level.WARN, "'x*' matches no Quartz job")).hasSize(1);
        }
    }

    @Test
    void patternsOfTasksAndBatchJobsAreNoneOfQuartz() {
        try (Logs logs = Logs.of(QuartzAttacher.class);
                GenericXmlApplicationContext context = Host.start(
                        service,
                        new JobLockPolicy[] {policy("task:reports.nightly"), policy("batch:*")},
                        INVOICE,
                        SCHEDULER,
                        Host.strictKit("invoice"))) {
            assertThat(context.isActive()).isTrue();
            assertThat(logs.lines(Level.WARN, "")).isEmpty();
        }
    }

    @Test
    void patternThatMatchesNoJobFailsAStrictStart() {
        assertThatThrownBy(() -> start(INVOICE, SCHEDULER, Host.strictKit("inv*,x*")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'x*' matches no Quartz job; the jobs are [invoice]");
    }

    @Test
    void patternsOfBatchJobsAreNoMatterOfQuartz() {
        JobLockPolicy[] batch = {policy("batch:report")};
        try (Logs logs = Logs.of(QuartzAttacher.class);
                GenericXmlApplicationContext context =
                        Host.start(service, batch, INVOICE, SCHEDULER, Host.strictKit("inv*"))) {
            assertThat(context.isActive()).isTrue();
            assertThat(logs.lines(Level.WARN, "")).isEmpty();
        }
        try (Logs logs = Logs.of(QuartzAttacher.class);
                GenericXmlApplicationContext context =
                        Host.start(service, batch, INVOICE, SCHEDULER, Host.strictKit(""))) {
            assertThat(context.isActive()).isTrue();
            assertThat(logs.lines(Level.WARN, "Joblock guards nothing")).hasSize(1);
        }
    }

    @Test
    void jobsWhoseGeneratedNamesGiveOneNameFailTheStart() {
        String[] beans = {
            GENERATED_JOB.formatted("one"),
            GENERATED_JOB.formatted("other"),
            Host.scheduler("scheduler", "", Host.ref("one"), Host.ref("other"))
        };

        assertThatThrownBy(() -> start(beans[0], beans[1], beans[2], Host.kit("*")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching("Jobs 'DEFAULT\\.org\\S+#\\w+' and 'DEFAULT\\.org\\S+#\\w+' of scheduler .*")
                .hasMessageContaining("would both be called 'dev.joblock.quartz.ShortJob'")
                .hasMessageContaining("give the job detail beans an id or a name each");
        try (GenericXmlApplicationContext unguarded = start(beans[0], beans[1], beans[2], Host.kit("invoice"))) {
            assertThat(unguarded.isActive()).isTrue();
        }
    }

    @Test
    void triggersWhoseGeneratedNamesGiveOneLaneFailTheStart() {
        String triggers = """
                <bean id="scheduler" class="org.springframework.scheduling.quartz.SchedulerFactoryBean"
                      p:schedulerName="generated" p:autoStartup="false">
                    <property name="triggers"><list>%s</list></property>
                </bean>
                """;
        String three = GENERATED_TRIGGER.formatted("0 0 3 * * ?");
        String four = GENERATED_TRIGGER.formatted("0 0 4 * * ?");

        assertThatThrownBy(() -> start(INVOICE, triggers.formatted(three + three), Host.kit("*")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching(
                        "Triggers 'DEFAULT\\.org\\S+#\\w+' and 'DEFAULT\\.org\\S+#\\w+' of job 'invoice' .*")
                .hasMessageContaining("cron 0 0 3 * * ?")
                .hasMessageContaining("give the trigger beans an id or a name each");
        try (GenericXmlApplicationContext context = start(INVOICE, triggers.formatted(three + four), Host.kit("*"))) {
            assertThat(context.isActive()).isTrue();
        }
    }

    @Test
    void listenersHaveNamesOfTheirOwn() {
        assertThat(listener().getName())
                .startsWith("joblock-")
                .isNotEqualTo(listener().getName());
    }

    @Test
    void schedulerThatOutlivesItsContextIsLeftAsItWas() throws Exception {
        Scheduler shared = QuartzNode.scheduler(1, Duration.ofMinutes(1));
        try {
            List<SchedulerListener> before = shared.getListenerManager().getSchedulerListeners();
            shared.start();
            GenericXmlApplicationContext context = new GenericXmlApplicationContext();
            context.getBeanFactory().registerSingleton("shared", shared);
            context.registerBean("attacher", QuartzAttacher.class, () -> new QuartzAttacher(listener()));
            context.refresh();
            assertThat(shared.getListenerManager().getTriggerListeners()).hasSize(1);
            assertThat(shared.getListenerManager().getJobListeners()).hasSize(2);

            context.close();

            List<TriggerListener> triggerListeners = shared.getListenerManager().getTriggerListeners();
            assertThat(triggerListeners).isEmpty();
            assertThat(shared.getListenerManager().getJobListeners()).isEmpty();
            assertThat(shared.getListenerManager().getSchedulerListeners()).isEqualTo(before);
        } finally {
            shared.shutdown();
        }
    }

    @Test
    void contextsWithUnnamedSchedulersComeAndGoInOneJvm() throws Exception {
        String unnamed = """
                <bean id="unnamed" class="org.springframework.scheduling.quartz.SchedulerFactoryBean">
                    <property name="triggers"><list><ref bean="invoiceTrigger"/></list></property>
                </bean>
                """;
        try (GenericXmlApplicationContext first =
                start(INVOICE, unnamed.replace("\"unnamed\"", "\"first\""), Host.kit("*"))) {
            for (int n = 0; n < 3; n++) {
                start(INVOICE, unnamed, Host.kit("*")).close();
            }
            assertThat(first.getBean("first", Scheduler.class).isStarted()).isTrue();
            assertThat(Wiring.find(first.getBean("first", Scheduler.class))).hasSize(1);
        }
    }

    @Test
    void schedulerIsGuardedBeforeItStarts() throws Exception {
        try (Logs logs = Logs.of(QuartzAttacher.class);
                GenericXmlApplicationContext context =
                        start(INVOICE, SCHEDULER.replace("p:autoStartup=\"false\"", ""), Host.kit("*"))) {
            assertThat(context.getBean("scheduler", Scheduler.class).isStarted())
                    .isTrue();
            assertThat(logs.lines(Level.WARN, "was running before")).isEmpty();
        }
    }

    @Test
    void badPatternsFailTheStartAndNameTheirBean() {
        assertThatThrownBy(() -> start(INVOICE, SCHEDULER, Host.kit("a,,b")))
                .isInstanceOf(BeanCreationException.class)
                .hasMessageContaining("kitListener")
                .hasMessageContaining("'a,,b' contain an empty pattern");
    }

    private GenericXmlApplicationContext start(String... beans) {
        return Host.start(service, new JobLockPolicy[0], beans);
    }

    private JobLockQuartzListener listener() {
        return new JobLockQuartzListener(service, new JobLockPolicies(new JobLockPolicy(), List.of()));
    }

    private static JobLockPolicy policy(String jobs) {
        JobLockPolicy policy = new JobLockPolicy();
        policy.setJobs(jobs);
        return policy;
    }

    private static DefaultJobLockService service() {
        LockStore none = (LockStore) Proxy.newProxyInstance(
                JobLockService.class.getClassLoader(), new Class<?>[] {LockStore.class}, (self, method, arguments) -> {
                    throw new AssertionError("no job fires, so nothing is asked");
                });
        return new DefaultJobLockService(
                "n1",
                Duration.ofSeconds(1),
                Map.of(LockMode.HASH_TIMESTAMP, none, LockMode.STATUS_TIME, none),
                new JobLockPolicies(new JobLockPolicy(), List.of()),
                List.of());
    }
}
