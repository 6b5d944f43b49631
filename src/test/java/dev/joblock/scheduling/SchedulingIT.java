package dev.joblock.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.ClassUtils;

/** Four applications on one Redis: each slot runs once. */
class SchedulingIT {

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String prefix = "scheduling-" + UUID.randomUUID() + ":";
    private final List<Node> nodes = new ArrayList<>();

    @AfterEach
    void closeAll() {
        nodes.forEach(Node::close);
    }

    private Node node(Map<String, String> settings, String... beans) {
        Node node = Node.start(redis.server(), prefix, settings, beans);
        nodes.add(node);
        return node;
    }

    private List<Node.Run> runs(String job) {
        return nodes.stream()
                .flatMap(node -> node.recorder.of(job).stream())
                .sorted(Comparator.comparing(Node.Run::since))
                .toList();
    }

    private static String xml(String schedule) {
        return "<task:scheduled-tasks scheduler=\"pool\"><task:scheduled ref=\"reports\" method=\"work\" " + schedule
                + "/></task:scheduled-tasks>";
    }

    private static String annotated(String id) {
        return Node.job(id).replace(Node.Job.class.getName(), Node.EverySecond.class.getName());
    }

    /** Every slot that a node asked for before the end was run by exactly one. */
    private void assertOncePerSlot(String job, int least) {
        await().atMost(PATIENCE).until(() -> runs(job).size() >= least);
        Instant until = runs(job).get(least - 1).slot();
        nodes.forEach(Node::close);
        List<Instant> slots = runs(job).stream().map(Node.Run::slot).sorted().toList();
        Set<Instant> asked = nodes.stream()
                .flatMap(node -> node.recorder.asked.stream())
                .filter(run -> run.job().equals(job))
                .map(run -> run.slot().orElseThrow().scheduled())
                .filter(slot -> !slot.isAfter(until))
                .collect(Collectors.toSet());
        assertThat(slots).doesNotHaveDuplicates().containsAll(asked);
        assertThat(nodes).allMatch(node -> node.recorder.unguarded.isEmpty());
    }

    @Test
    void aCronInXmlEachSecondRunsOncePerSlotOnFourNodes() {
        for (int i = 0; i < 4; i++) {
            node(
                    Map.of("joblock.scheduling.tasks", "reports.*"),
                    Node.IMPORT,
                    Node.POOL,
                    Node.job("reports"),
                    xml("cron=\"* * * * * *\""));
        }
        assertOncePerSlot("task:reports.work", 8);
    }

    @Test
    void anAnnotatedCronRunsOncePerSlotOnFourNodesWithJdkAndCglibProxies() {
        String policy = "<bean class=\"dev.joblock.JobLockPolicy\" p:jobs=\"task:reports.work\" p:lease=\"20s\"/>";
        for (int i = 0; i < 4; i++) {
            String proxies = i % 2 == 0
                    ? ""
                    : "<bean id=\"nothing\" class=\"" + TaskInstallerTest.Nothing.class.getName()
                            + "\"/><aop:config proxy-target-class=\"true\"><aop:advisor advice-ref=\"nothing\""
                            + " pointcut=\"execution(* dev.joblock.scheduling.Node.EverySecond.*(..))\"/></aop:config>";
            node(Map.of(), Node.IMPORT, policy, proxies, Node.POOL, annotated("reports"), TestHost.ANNOTATIONS);
        }
        assertOncePerSlot("task:reports.work", 8);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSchedulerThatHandsEachRunToAThreadOfItsOwnRunsOncePerSlot(boolean virtual) {
        String type = "org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler";
        assumeTrue(ClassUtils.isPresent(type, null), "since Spring 6.1");
        assumeTrue(!virtual || Runtime.version().feature() >= 21, "since Java 21");
        List<OnWhichThread> jobs = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Node node = node(
                    Map.of("joblock.scheduling.tasks", "reports.*"),
                    Node.IMPORT,
                    "<bean id=\"pool\" class=\"" + type + "\" p:virtualThreads=\"" + virtual
                            + "\" p:taskTerminationTimeout=\"30000\"/>",
                    Node.job("reports").replace(Node.Job.class.getName(), OnWhichThread.class.getName()),
                    xml("cron=\"* * * * * *\""));
            jobs.add(node.context.getBean(OnWhichThread.class));
        }
        assertOncePerSlot("task:reports.work", 8);
        assertThat(jobs.stream().flatMap(job -> job.threads.stream()))
                .containsOnly(virtual ? "java.lang.VirtualThread" : "java.lang.Thread");
    }

    static class OnWhichThread extends Node.Job {
        final Set<String> threads = ConcurrentHashMap.newKeySet();

        OnWhichThread(Node.Recorder recorder, JobLockService service) {
            super(recorder, service);
        }

        @Override
        public void work() {
            threads.add(Thread.currentThread().getClass().getName());
            super.work();
        }
    }

    @Test
    void aFixedRateKeepsItsIntervalOverNodesOfDifferentPhase() {
        for (int i = 0; i < 2; i++) {
            node(
                    Map.of("joblock.scheduling.tasks", "*"),
                    Node.IMPORT,
                    Node.POOL,
                    Node.job("reports"),
                    xml("fixed-rate=\"1000\" initial-delay=\"" + (1 + 400 * i) + "\""));
        }
        await().atMost(PATIENCE).until(() -> runs("task:reports.work").size() >= 6);
        nodes.forEach(Node::close);

        // Each start is counted nominally, with half an interval of tolerance for one that comes late.
        List<Node.Run> runs = runs("task:reports.work");
        Duration all =
                Duration.between(runs.get(0).since(), runs.get(runs.size() - 1).since());
        assertThat(runs.size() - 1)
                .isLessThanOrEqualTo((int) (all.plusMillis(100).toMillis() / 950));
        assertThat(nodes.stream().mapToInt(node -> node.recorder.asked.size()).sum())
                .isGreaterThan(runs.size());
    }

    @Test
    void aFixedDelayCountsFromTheEndOverNodesOfDifferentPhase() {
        String policy = "<bean class=\"dev.joblock.JobLockPolicy\" p:jobs=\"task:reports.*\" p:minInterval=\"1s\"/>";
        for (int i = 0; i < 2; i++) {
            node(
                    Map.of(),
                    Node.IMPORT,
                    policy,
                    Node.POOL,
                    Node.job("reports"),
                    xml("fixed-delay=\"300\" initial-delay=\"" + (1 + 150 * i) + "\""));
        }
        await().atMost(PATIENCE).until(() -> runs("task:reports.work").size() >= 5);
        nodes.forEach(Node::close);

        List<Node.Run> runs = runs("task:reports.work");
        for (int i = 1; i < runs.size(); i++) {
            assertThat(Duration.between(runs.get(i - 1).since(), runs.get(i).since()))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(900));
        }
        assertThat(runs).allMatch(run -> run.run().rule() == JobRun.Rule.INTERVAL);
    }

    @Test
    void parentAndChildWithTheSameTasksAreTwoNodes() {
        Map<String, String> settings = Map.of("joblock.scheduling.tasks", "reports.*");
        String[] beans = {Node.POOL, annotated("reports"), TestHost.ANNOTATIONS};
        Node root = node(
                settings,
                Stream.concat(Stream.of(Node.IMPORT), Stream.of(beans)).toArray(String[]::new));
        Node child = Node.start(
                root.context,
                redis.server(),
                prefix,
                settings,
                "<import resource=\"classpath:spring/joblock-scheduling.xml\"/>",
                beans[0],
                beans[1],
                beans[2]);
        nodes.add(0, child);

        await().atMost(PATIENCE).until(() -> runs("task:reports.work").size() >= 5);
        nodes.forEach(Node::close);

        assertThat(runs("task:reports.work").stream().map(Node.Run::slot)).doesNotHaveDuplicates();
        assertThat(nodes).allMatch(node -> node.recorder.unguarded.isEmpty());
        // Both asked: the listener belongs to the root's service.
        assertThat(root.recorder.asked.size())
                .isGreaterThan(runs("task:reports.work").size());
    }

    @Test
    void aStarForQuartzLeavesTasksUnguarded() {
        Node node = node(
                Map.of("joblock.quartz.jobs", "*"),
                Node.IMPORT,
                "<bean class=\"dev.joblock.JobLockPolicy\" p:jobs=\"*\"/>",
                Node.POOL,
                Node.job("reports"),
                xml("cron=\"* * * * * *\""));
        await().atMost(PATIENCE).until(() -> node.recorder.unguarded.size() >= 2);

        assertThat(node.recorder.runs).isEmpty();
        assertThat(node.recorder.asked).isEmpty();
    }

    @Test
    void atCloseTheRunThatIsGoingOnEndsUnderItsLockAndReleasesIt() throws InterruptedException {
        String slow = "<bean id=\"reports\" class=\"" + SlowJob.class.getName() + "\"/>";
        Map<String, String> settings = Map.of("joblock.scheduling.tasks", "*");
        Node node = node(settings, Node.IMPORT, Node.POOL, slow, xml("fixed-delay=\"100\""));
        SlowJob job = node.context.getBean(SlowJob.class);
        assertThat(job.begun.await(60, TimeUnit.SECONDS)).isTrue();

        Thread closing = new Thread(node::close);
        closing.start();
        await().atMost(PATIENCE)
                .until(() ->
                        closing.getState() == Thread.State.TIMED_WAITING || closing.getState() == Thread.State.WAITING);
        job.end.countDown();
        closing.join(60_000);

        assertThat(closing.isAlive()).isFalse();
        Node next = node(settings, Node.IMPORT);
        JobLockService service = next.context.getBean(JobLockService.class);
        assertThat(service.run(JobRun.exclusive("task:reports.work"), () -> {}).isGranted())
                .isTrue();
    }

    static class SlowJob {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch end = new CountDownLatch(1);

        public void work() throws InterruptedException {
            begun.countDown();
            end.await();
        }
    }
}
