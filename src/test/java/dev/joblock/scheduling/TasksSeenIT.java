package dev.joblock.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.Alarm;
import dev.joblock.HistoryEntry;
import dev.joblock.HistoryOutcome;
import dev.joblock.HistoryQuery;
import dev.joblock.JobAlarm;
import dev.joblock.JobHistory;
import dev.joblock.JobLockOperations;
import dev.joblock.JobRun;
import dev.joblock.JobState;
import dev.joblock.JobStates;
import dev.joblock.NodeInfo;
import dev.joblock.Nodes;
import dev.joblock.OperationResult;
import dev.joblock.RegisteredJob;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two applications on one Redis: tasks among the jobs of the nodes, started by hand, and missed. */
class TasksSeenIT {
    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TASK = "task:gated.work";

    /** Is at work until the gate opens. */
    public static final class Gated {
        final AtomicInteger runs = new AtomicInteger();
        volatile CountDownLatch gate = new CountDownLatch(0);

        public void work() throws InterruptedException {
            runs.incrementAndGet();
            gate.await(60, TimeUnit.SECONDS);
        }
    }

    /** Takes the one thread of its scheduler. */
    public static final class Blocker {
        final CountDownLatch gate = new CountDownLatch(1);

        public void block() throws InterruptedException {
            gate.await(60, TimeUnit.SECONDS);
        }
    }

    /** What a team is told. */
    public static final class Told implements JobAlarm {
        final List<Alarm> alarms = new CopyOnWriteArrayList<>();

        @Override
        public void onAlarm(Alarm alarm) {
            alarms.add(alarm);
        }
    }

    private final String prefix = "seen:" + UUID.randomUUID() + ":";
    private final List<Node> nodes = new ArrayList<>();

    @AfterEach
    void closeAll() {
        for (Node node : nodes) {
            gated(node).gate.countDown();
            node.context.getBeansOfType(Blocker.class).values().forEach(blocker -> blocker.gate.countDown());
        }
        nodes.forEach(Node::close);
    }

    private Node node(String id, String cron, String... beans) {
        String tasks = "<task:scheduled-tasks scheduler=\"pool\"><task:scheduled ref=\"gated\" method=\"work\" cron=\""
                + cron + "\"/></task:scheduled-tasks>";
        Node node = Node.start(
                redis.server(),
                prefix,
                Map.of("joblock.node-id", id, "joblock.scheduling.tasks", "gated.work"),
                Stream.concat(
                                Stream.of(beans),
                                Stream.of(Node.IMPORT, TestHost.bean("gated", Gated.class), Node.POOL, tasks))
                        .toArray(String[]::new));
        nodes.add(node);
        return node;
    }

    private static Gated gated(Node node) {
        return node.context.getBean(Gated.class);
    }

    private static JobLockOperations operations(Node node) {
        return node.context.getBean("joblockOperations", JobLockOperations.class);
    }

    private static List<HistoryEntry> history(Node node) {
        return node.context
                .getBean("joblockHistory", JobHistory.class)
                .find(HistoryQuery.all())
                .entries();
    }

    private static List<NodeInfo> listed(Node node) {
        return node.context.getBean("joblockNodePresence", Nodes.class).nodes();
    }

    @Test
    void eachNodeTellsItsTasksToAllNodes() {
        Node first = node("n1", Beans.FAR);
        node("n2", Beans.FAR);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(listed(first)).extracting(NodeInfo::id).containsExactlyInAnyOrder("n1", "n2"));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(listed(first)).allSatisfy(node -> {
                    RegisteredJob job = node.jobs().get(0);
                    assertThat(node.jobs()).hasSize(1);
                    assertThat(job.job()).isEqualTo(TASK);
                    assertThat(job.trigger()).isEqualTo("xml-cron-1");
                    assertThat(job.schedule()).isEqualTo("cron " + Beans.FAR);
                    assertThat(job.isGuarded()).isTrue();
                    assertThat(job.next()).isPresent();
                    assertThat(node.warnings()).isEmpty();
                }));
        assertThat(first.context.getBean("joblockStates", JobStates.class).states())
                .extracting(JobState::job)
                .containsExactly(TASK);
    }

    @Test
    void aTaskStartedByHandRunsOnceAndIsRefusedWhileItRuns() {
        Node first = node("n1", Beans.FAR);
        Node second = node("n2", Beans.FAR);
        gated(second).gate = new CountDownLatch(1);
        assertThat(operations(second).runNow(TASK, "anna").isDone()).isTrue();
        await().atMost(PATIENCE).until(() -> gated(second).runs.get() == 1);

        assertThat(operations(first).runNow(TASK, "otto").message()).contains("it runs on node 'n2' since");

        gated(second).gate.countDown();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(history(first)).singleElement().satisfies(entry -> {
                    assertThat(entry.job()).isEqualTo(TASK);
                    assertThat(entry.outcome()).isEqualTo(HistoryOutcome.RAN);
                    assertThat(entry.origin()).isEqualTo(JobRun.Origin.MANUAL);
                    assertThat(entry.by()).contains("anna");
                    assertThat(entry.node()).isEqualTo("n2");
                    assertThat(entry.slot()).isEmpty();
                }));
        assertThat(gated(first).runs.get() + gated(second).runs.get()).isEqualTo(1);
        assertThat(redis.server().text("HKEYS", prefix + TASK))
                .contains("token")
                .doesNotContain("m:")
                .doesNotContain("i:");
    }

    @Test
    void aDoubleClickOnTwoNodesRunsTheTaskOnce() throws Exception {
        node("n1", Beans.FAR);
        node("n2", Beans.FAR);
        CountDownLatch go = new CountDownLatch(1);
        ExecutorService clicks = Executors.newFixedThreadPool(2);
        List<OperationResult> answers = new ArrayList<>();
        try {
            List<Future<OperationResult>> results = new ArrayList<>();
            for (Node node : nodes) {
                results.add(clicks.submit(() -> {
                    go.await();
                    return operations(node).runNow(TASK, "anna");
                }));
            }
            go.countDown();
            for (Future<OperationResult> result : results) {
                answers.add(result.get());
            }
        } finally {
            clicks.shutdownNow();
        }
        assertThat(answers).filteredOn(OperationResult::isDone).hasSize(1);
        await().atMost(PATIENCE).until(() -> history(nodes.get(0)).size() == 1);
        assertThat(nodes.stream().mapToInt(node -> gated(node).runs.get()).sum())
                .isEqualTo(1);
    }

    @Test
    void aSlotOfATaskThatNoNodeRunsIsAnAlarm() {
        String[] blocked = {TestHost.bean("told", Told.class), TestHost.bean("blocker", Blocker.class), """
            <bean id="joblockAlarms" class="dev.joblock.history.Alarms" p:tolerance="1s" p:every="200ms">
                <constructor-arg ref="joblockHistory"/>
                <constructor-arg ref="joblockHistoryStore"/>
                <constructor-arg ref="joblockLockViews"/>
                <constructor-arg ref="joblockStates"/>
            </bean>
            <bean id="single" class="org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler" p:poolSize="1"/>
            <task:scheduled-tasks scheduler="single">
                <task:scheduled ref="blocker" method="block" fixed-rate="3600000"/>
                <task:scheduled ref="gated" method="work" cron="*/2 * * * * *"/>
            </task:scheduled-tasks>
            """};
        node("n1", Beans.FAR, blocked);
        node("n2", Beans.FAR, blocked);
        await().atMost(PATIENCE).until(() -> !alarms().isEmpty());
        assertThat(alarms()).singleElement().satisfies(alarm -> {
            assertThat(alarm.kind()).isEqualTo(Alarm.Kind.MISSED);
            assertThat(alarm.job()).isEqualTo(TASK);
            assertThat(alarm.message()).contains("was not run by any node for its slot", "trigger 'xml-cron-");
        });
        assertThat(nodes).allMatch(node -> gated(node).runs.get() == 0);
    }

    private List<Alarm> alarms() {
        return nodes.stream()
                .flatMap(node -> node.context.getBean(Told.class).alarms.stream())
                .toList();
    }
}
