package dev.joblock.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.joblock.Granted;
import dev.joblock.HistoryEntry;
import dev.joblock.HistoryOutcome;
import dev.joblock.HistoryQuery;
import dev.joblock.JobHistory;
import dev.joblock.JobLock;
import dev.joblock.JobLockOperations;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.JobState;
import dev.joblock.JobStates;
import dev.joblock.JobSummary;
import dev.joblock.Nodes;
import dev.joblock.OperationResult;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.support.GenericXmlApplicationContext;

/** State of jobs, run now and release, over two whole applications with Quartz. */
class OperationsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    /** The work of the job; a bean, so that each application calls this one. */
    public static final class Work {
        final AtomicInteger runs = new AtomicInteger();
        volatile CountDownLatch gate = new CountDownLatch(0);
        volatile boolean fails;

        public void work() throws InterruptedException {
            runs.incrementAndGet();
            gate.await(20, TimeUnit.SECONDS);
            if (fails) {
                throw new IllegalStateException("no paper");
            }
        }
    }

    private final Work work = new Work();
    private final List<GenericXmlApplicationContext> nodes = new ArrayList<>();

    @BeforeEach
    void empty() {
        redis.server().call("FLUSHALL");
    }

    @AfterEach
    void close() {
        work.gate.countDown();
        nodes.forEach(GenericXmlApplicationContext::close);
    }

    @Test
    void runNowRunsOnceWithThePersonsNameAndTouchesNoLane() {
        GenericXmlApplicationContext node = node("n1", "");
        awaitListed(node);
        String before = redis.server().text("HKEYS", "op:invoice");
        assertThat(operations(node).runNow("invoice", "Anna <b>").isDone()).isTrue();
        await().atMost(PATIENCE).until(() -> history(node).size() == 1);
        HistoryEntry entry = history(node).get(0);
        assertThat(entry.outcome()).isEqualTo(HistoryOutcome.RAN);
        assertThat(entry.origin()).isEqualTo(JobRun.Origin.MANUAL);
        assertThat(entry.by()).contains("Anna <b>");
        assertThat(entry.slot()).isEmpty();
        assertThat(work.runs).hasValue(1);
        assertThat(redis.server().text("HKEYS", "op:invoice"))
                .doesNotContain("m:")
                .doesNotContain("i:");
        assertThat(before).doesNotContain("m:");
    }

    @Test
    void aDoubleClickOnTwoNodesRunsOnce() throws Exception {
        GenericXmlApplicationContext first = node("n1", "");
        GenericXmlApplicationContext second = node("n2", "");
        awaitListed(first);
        CountDownLatch go = new CountDownLatch(1);
        ExecutorService clicks = Executors.newFixedThreadPool(2);
        try {
            List<Future<OperationResult>> results = new ArrayList<>();
            for (GenericXmlApplicationContext node : List.of(first, second)) {
                results.add(clicks.submit(() -> {
                    go.await();
                    return operations(node).runNow("invoice", "anna");
                }));
            }
            go.countDown();
            List<OperationResult> answers =
                    List.of(results.get(0).get(), results.get(1).get());
            assertThat(answers).filteredOn(OperationResult::isDone).hasSize(1);
            assertThat(answers)
                    .filteredOn(result -> !result.isDone())
                    .singleElement()
                    .asString()
                    .containsAnyOf("asked for a moment ago", "it runs on node");
        } finally {
            clicks.shutdownNow();
        }
        await().atMost(PATIENCE).until(() -> history(first).size() == 1);
        assertThat(work.runs).hasValue(1);
    }

    @Test
    void runNowIsRefusedWhileTheJobRunsAndNamesTheNode() {
        GenericXmlApplicationContext node = node("n1", "");
        JobLock lock = lock(node, "invoice");
        OperationResult refused = operations(node).runNow("invoice", "anna");
        assertThat(refused.isDone()).isFalse();
        assertThat(refused.message()).contains("it runs on node 'n1' since");
        lock.release();
        assertThat(work.runs).hasValue(0);
        assertThat(operations(node).runNow("nothing", "anna").message()).contains("no scheduler of this node");
        assertThatThrownBy(() -> operations(node).runNow("invoice", " ")).hasMessageContaining("blank");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hash-timestamp", "status-time", "token"})
    void aReleasedRunIsToldLostAndTheReleaseIsRecorded(String mode) {
        GenericXmlApplicationContext node = node("n1", "p:lease='1s' p:mode='" + mode + "'");
        JobLock lock = lock(node, "invoice");
        JobState held = states(node).state("invoice");
        assertThat(held.lock().run().get().node()).isEqualTo("n1");
        assertThat(held.lock().run().get().since()).isEqualTo(lock.since());
        assertThat(held.lock().until().get()).isAfter(lock.since());
        assertThat(operations(node).release("invoice", "otto").isDone()).isTrue();
        JobLock next = lock(node, "invoice");
        assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        await().atMost(PATIENCE).until(() -> !lock.isHeld());
        lock.release();
        await().atMost(PATIENCE)
                .until(() -> history(node).stream().anyMatch(entry -> entry.outcome() == HistoryOutcome.LOST));
        HistoryEntry release = history(node).stream()
                .filter(entry -> entry.outcome() == HistoryOutcome.RELEASED)
                .findFirst()
                .get();
        assertThat(release.by()).contains("otto");
        assertThat(release.holder()).contains("n1");
        assertThat(next.isHeld()).isTrue();
        next.release();
        await().atMost(PATIENCE).until(() -> !states(node).state("invoice").isHeld());
        assertThat(operations(node).release("invoice", "otto").message()).contains("no run of ours holds it");
    }

    @Test
    void theStateKnowsRunsFailuresAndFailuresInARow() {
        GenericXmlApplicationContext node = node("n1", "");
        JobLockService service = node.getBean(JobLockService.class);
        service.run(JobRun.exclusive("invoice"), () -> {});
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> service.run(JobRun.exclusive("invoice"), () -> {
                        throw new IllegalStateException();
                    }))
                    .isInstanceOf(IllegalStateException.class);
        }
        await().atMost(PATIENCE).until(() -> failures(node) == 3);
        JobSummary runs = states(node).state("invoice").runs().get();
        assertThat(runs.lastSuccess().get()).isBefore(runs.lastFailure().get());
        assertThat(runs.lastError()).contains("java.lang.IllegalStateException");
        assertThat(runs.outcome()).isEqualTo(HistoryOutcome.FAILED);
        assertThat(runs.node()).isEqualTo("n1");
        service.run(JobRun.exclusive("invoice"), () -> {});
        await().atMost(PATIENCE).until(() -> failures(node) == 0);
        assertThat(states(node).states()).extracting(JobState::job).containsExactly("invoice");
        assertThat(states(node).state("invoice").runs().get().lastError()).contains("java.lang.IllegalStateException");
    }

    @Test
    void aLockWithoutExpiryIsShownAndRemovedByHandAlone() {
        GenericXmlApplicationContext node = node("n1", "p:mode='token'");
        redis.server().call("SET", "op:invoice", "leftover");
        JobState state = states(node).state("invoice");
        assertThat(state.isHeld()).isFalse();
        assertThat(state.lock().valueWithoutExpiry()).contains("leftover");
        assertThat(state.lock().problem().get()).contains("lock without expiry", "'leftover'");
        assertThat(operations(node).release("invoice", "otto").message()).contains("'leftover'", "removed");
        assertThat(redis.server().text("EXISTS", "op:invoice")).isEqualTo("0");
        assertThat(states(node).state("invoice").lock().problem()).isEmpty();
        redis.server().call("SET", "op:invoice", "theirs", "PX", "60000");
        assertThat(states(node).state("invoice").lock().valueWithoutExpiry()).isEmpty();
        assertThat(operations(node).release("invoice", "otto").isDone()).isFalse();
        assertThat(redis.server().text("GET", "op:invoice")).isEqualTo("theirs");
    }

    @Test
    void aForeignValueAtTheKeyIsShown() {
        GenericXmlApplicationContext node = node("n1", "");
        redis.server().call("SET", "op:invoice", "cached page");
        assertThat(states(node).state("invoice").lock().problem().get()).contains("holds a string");
        assertThat(operations(node).release("invoice", "otto").isDone()).isFalse();
        redis.server().call("DEL", "op:invoice");
        redis.server().call("HSET", "op:invoice", "name", "Anna");
        assertThat(states(node).state("invoice").lock().problem().get()).contains("no lock record");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a:b", "day[1]*?", "x{y}z", "<script>alert(1)</script>", "Überweisung täglich", "a/b %2F+&c"})
    void anyNameIsFiredShownAndReleasedAsItselfAndNoOther(String name) {
        GenericXmlApplicationContext node = node("n1", "");
        JobLock lock = lock(node, name);
        JobLock other = lock(node, name + "x");
        assertThat(states(node).state(name).lock().run().get().fencingToken()).isEqualTo(lock.fencingToken());
        assertThat(operations(node).release(name, "otto").isDone()).isTrue();
        assertThat(states(node).state(name).isHeld()).isFalse();
        assertThat(states(node).state(name + "x").isHeld()).isTrue();
        lock.release();
        other.release();
        await().atMost(PATIENCE).until(() -> states(node).state(name).runs().isPresent());
        assertThat(states(node).state(name).runs().get().job()).isEqualTo(name);
    }

    private GenericXmlApplicationContext node(String id, String policy) {
        String xml = """
                <bean class="dev.joblock.JobLockPolicy" p:jobs="*" %s/>
                <bean id="invoice" class="org.springframework.scheduling.quartz.MethodInvokingJobDetailFactoryBean"
                      p:targetObject="#{work}" p:targetMethod="work"/>
                <bean id="yearly" class="org.springframework.scheduling.quartz.CronTriggerFactoryBean"
                      p:jobDetail-ref="invoice" p:cronExpression="0 0 3 1 1 ? 2090"/>
                <bean class="org.springframework.scheduling.quartz.SchedulerFactoryBean" p:schedulerName="%s"
                      p:triggers-ref="yearly"/>
                """.formatted(policy, id + UUID.randomUUID());
        GenericXmlApplicationContext context = Host.of(xml + Host.IMPORT)
                .singleton("work", work)
                .environment("joblock.prefix", "op:")
                .environment("joblock.node-id", id)
                .environment("joblock.redis.host", redis.host())
                .environment("joblock.redis.port", Integer.toString(redis.port()))
                .start();
        nodes.add(context);
        return context;
    }

    private static void awaitListed(GenericXmlApplicationContext node) {
        await().atMost(PATIENCE)
                .until(() -> node.getBean("joblockNodePresence", Nodes.class).nodes().stream()
                        .anyMatch(it -> it.jobs().size() == 1
                                && it.jobs().get(0).next().get().isAfter(Instant.parse("2089-01-01T00:00:00Z"))));
    }

    private static JobLock lock(GenericXmlApplicationContext node, String name) {
        return ((Granted) node.getBean(JobLockService.class).tryLock(JobRun.exclusive(name), Duration.ofSeconds(10)))
                .lock();
    }

    private static int failures(GenericXmlApplicationContext node) {
        return states(node)
                .state("invoice")
                .runs()
                .map(JobSummary::consecutiveFailures)
                .orElse(-1);
    }

    private static List<HistoryEntry> history(GenericXmlApplicationContext node) {
        return node.getBean("joblockHistory", JobHistory.class)
                .find(HistoryQuery.all())
                .entries();
    }

    private static JobStates states(GenericXmlApplicationContext node) {
        return node.getBean("joblockStates", JobStates.class);
    }

    private static JobLockOperations operations(GenericXmlApplicationContext node) {
        return node.getBean("joblockOperations", JobLockOperations.class);
    }
}
