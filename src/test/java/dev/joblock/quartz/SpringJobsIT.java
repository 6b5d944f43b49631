package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.JobLock;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.engine.DefaultJobLockService;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.TriggerKey;
import org.quartz.impl.matchers.GroupMatcher;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.scheduling.quartz.QuartzJobBean;

/** The ways in which XML applications write their jobs, each on two nodes with contexts of their own. */
@Execution(ExecutionMode.CONCURRENT)
class SpringJobsIT {
    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    private static final int SLOTS = 4;

    private final String prefix = QuartzNode.newPrefix();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private Instant begun = Instant.EPOCH;

    /** One application. */
    private record Node(
            GenericXmlApplicationContext context,
            Scheduler scheduler,
            RecordingListener recorder,
            RecordingOutcomes outcomes) {}

    /** A job bean in Spring's style; its property comes from the job data. */
    public static class StyledJob extends QuartzJobBean {
        private String text = "";

        public void setText(String text) {
            this.text = text;
        }

        @Override
        protected void executeInternal(JobExecutionContext context) {
            context.setResult(text);
        }
    }

    /** A bean whose method is scheduled. */
    public static class Work {
        static final AtomicInteger RUNS = new AtomicInteger();

        public void work() {
            RUNS.incrementAndGet();
        }
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<property name=\"jobFactory\"><bean class=\"org.quartz.simpl.SimpleJobFactory\"/></property>",
                "<property name=\"jobFactory\"><bean class=\"org.springframework.scheduling.quartz.SpringBeanJobFactory\"/></property>"
            })
    void plainJobRunsOncePerSlotWithEveryJobFactory(String jobFactory) throws Exception {
        twoNodes(scheduler(jobFactory, Host.ref("plainTrigger")), Host.job("plain", "plainTrigger", "* * * * * ?"));

        assertRunsEqualSlots("plain");
    }

    @Test
    void quartzJobBeanRunsOncePerSlot() throws Exception {
        twoNodes(scheduler("", Host.ref("styledTrigger")), """
                <bean id="styled" class="org.springframework.scheduling.quartz.JobDetailFactoryBean"
                      p:jobClass="dev.joblock.quartz.SpringJobsIT$StyledJob">
                    <property name="jobDataAsMap"><map><entry key="text" value="set"/></map></property>
                </bean>
                """ + trigger("id=\"styledTrigger\"", "styled"));

        assertRunsEqualSlots("styled");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void scheduledMethodRunsOncePerSlot(String concurrent) throws Exception {
        twoNodes(
                scheduler("", Host.ref("methodTrigger")),
                """
                <bean id="method" class="org.springframework.scheduling.quartz.MethodInvokingJobDetailFactoryBean"
                      p:targetMethod="work" p:concurrent="%s">
                    <property name="targetObject"><bean class="dev.joblock.quartz.SpringJobsIT$Work"/></property>
                </bean>
                """.formatted(concurrent) + trigger("id=\"methodTrigger\"", "method"));

        assertRunsEqualSlots("method");
        assertThat(Work.RUNS.get()).isPositive();
    }

    @Test
    void namesThatSpringGeneratesDifferentlyOnEachNodeAreOneJobAndOneLane() throws Exception {
        // The second application has a bean more before ours, which shifts the counters; identity hashes differ anyway.
        String another = """
                <bean class="org.springframework.scheduling.quartz.JobDetailFactoryBean" p:jobClass="dev.joblock.quartz.ShortJob"/>
                <bean class="org.springframework.scheduling.quartz.CronTriggerFactoryBean" p:cronExpression="0 0 3 * * ?">
                    <property name="jobDetail">
                        <bean class="org.springframework.scheduling.quartz.JobDetailFactoryBean" p:jobClass="dev.joblock.quartz.ShortJob"/>
                    </property>
                </bean>
                """;
        String ours = """
                <bean class="org.springframework.scheduling.quartz.CronTriggerFactoryBean" p:cronExpression="* * * * * ?">
                    <property name="jobDetail">
                        <bean class="org.springframework.scheduling.quartz.MethodInvokingJobDetailFactoryBean" p:targetMethod="work">
                            <property name="targetObject"><bean class="dev.joblock.quartz.SpringJobsIT$Work"/></property>
                        </bean>
                    </property>
                </bean>
                """;
        String scheduler = """
                <bean id="scheduler" class="org.springframework.scheduling.quartz.SchedulerFactoryBean" autowire="constructor"
                      p:schedulerName="%s" p:autoStartup="false"
                      p:globalTriggerListeners-ref="recorder" p:globalJobListeners-ref="recorder">
                    <property name="triggers" ref="org.springframework.scheduling.quartz.CronTriggerFactoryBean#%d"/>
                </bean>
                """;
        node(ours, scheduler.formatted("generated-" + prefix, 0));
        node(another, ours, scheduler.formatted("generated2-" + prefix, 1));
        runSlots();

        Set<String> jobs = new TreeSet<>();
        Set<String> triggers = new TreeSet<>();
        for (Node node : nodes) {
            for (JobKey key : node.scheduler.getJobKeys(GroupMatcher.anyJobGroup())) {
                jobs.add(key.getName());
            }
            for (TriggerKey key : node.scheduler.getTriggerKeys(GroupMatcher.anyTriggerGroup())) {
                triggers.add(key.getName());
            }
        }
        assertThat(triggers).hasSize(2);
        assertThat(jobs).hasSize(2);
        assertThat(nodes.stream()
                        .flatMap(node -> node.outcomes.granted.stream())
                        .map(JobLock::lockName))
                .isNotEmpty()
                .containsOnly("DEFAULT." + Work.class.getName() + ".work");
        assertRunsEqualSlots(jobs.toArray(String[]::new));
    }

    private void twoNodes(String... beans) throws Exception {
        node(beans);
        node(beans);
        runSlots();
    }

    private void node(String... beans) {
        JedisConnectionFactory connections = QuartzNode.connections(redis.host(), redis.port());
        open.add(connections::destroy);
        RecordingOutcomes outcomes = new RecordingOutcomes();
        DefaultJobLockService service = QuartzNode.service(
                "spring" + nodes.size(),
                connections,
                prefix,
                Duration.ofSeconds(20),
                new JobLockPolicies(new JobLockPolicy(), List.of()),
                outcomes);
        open.add(service);
        GenericXmlApplicationContext context = Host.start(
                service,
                new JobLockPolicy[0],
                Stream.concat(
                                Stream.of(
                                        "<bean id=\"recorder\" class=\"dev.joblock.quartz.RecordingListener\"/>",
                                        Host.kit("*")),
                                Stream.of(beans))
                        .toArray(String[]::new));
        open.add(context);
        Scheduler scheduler = context.getBean(Scheduler.class);
        nodes.add(new Node(context, scheduler, context.getBean(RecordingListener.class), outcomes));
    }

    private String scheduler(String properties, String... triggers) {
        return """
                <bean id="scheduler" class="org.springframework.scheduling.quartz.SchedulerFactoryBean"
                      p:autoStartup="false" p:globalTriggerListeners-ref="recorder" p:globalJobListeners-ref="recorder">
                    <property name="triggers"><list>%s</list></property>
                    %s
                </bean>
                """.formatted(String.join("", triggers), properties);
    }

    private static String trigger(String attributes, String job) {
        return """
                <bean %s class="org.springframework.scheduling.quartz.CronTriggerFactoryBean"
                      p:jobDetail-ref="%s" p:cronExpression="* * * * * ?"/>
                """.formatted(attributes, job);
    }

    /** Runs both nodes until they have seen enough slots, and waits for what is under way. */
    private void runSlots() throws Exception {
        for (Node node : nodes) {
            node.scheduler.start();
        }
        begun = Instant.now();
        await().atMost(QuartzNode.PATIENCE).until(() -> commonSlots().size() >= SLOTS + 1);
        for (Node node : nodes) {
            node.scheduler.standby();
        }
        await().atMost(QuartzNode.PATIENCE)
                .until(() -> nodes.stream()
                        .allMatch(node -> node.recorder.count("fired")
                                == node.recorder.count("vetoed") + node.recorder.count("complete")));
    }

    /** The slots that all nodes fired, without those of before the start, which come in one burst. */
    private Set<Instant> commonSlots() {
        Set<Instant> slots = new TreeSet<>(nodes.get(0).recorder.slots("fired"));
        nodes.forEach(node -> slots.retainAll(node.recorder.slots("fired")));
        slots.removeIf(slot -> slot.isBefore(begun));
        return slots;
    }

    private void assertRunsEqualSlots(String... jobs) {
        Map<Instant, Integer> runs = new TreeMap<>();
        Map<Instant, Integer> vetoes = new TreeMap<>();
        Set<Instant> slots = commonSlots();
        for (Instant slot : slots) {
            runs.put(slot, 0);
            vetoes.put(slot, 0);
        }
        for (Node node : nodes) {
            for (String job : jobs) {
                count(node.recorder, "executed", job, runs);
                count(node.recorder, "vetoed", job, vetoes);
            }
        }
        assertThat(slots.size()).isGreaterThanOrEqualTo(SLOTS);
        assertThat(runs.values()).as("runs of each slot: " + runs).containsOnly(1);
        assertThat(vetoes.values()).as("vetoes of each slot: " + vetoes).containsOnly(1);
    }

    private static void count(RecordingListener recorder, String callback, String job, Map<Instant, Integer> counts) {
        recorder.calls(callback).stream()
                .filter(call -> call.job().equals(job))
                .forEach(call -> counts.computeIfPresent(call.scheduled(), (slot, n) -> n + 1));
    }
}
