package dev.joblock.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.DenialReason;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.Slot;
import dev.joblock.testing.RedisExtension;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * A node whose clock is ten seconds ahead runs each slot of a task at its time by Redis, once. It fires a slot ten seconds
 * early, so the slot that it asks for lies ten seconds in the future: that is how it is made here.
 */
class TasksClockAheadIT {
    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration AHEAD = Duration.ofSeconds(10);
    private static final String TASKS = "<task:scheduled-tasks scheduler=\"pool\">"
            + "<task:scheduled ref=\"job\" method=\"work\" cron=\"*/5 * * * * *\"/></task:scheduled-tasks>";

    private final String prefix = "ahead:" + UUID.randomUUID() + ":";
    private final List<Node> nodes = new ArrayList<>();

    /** Has all that the node asks for lie ahead. */
    static final class Ahead implements BeanPostProcessor {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (!(bean instanceof JobLockService)) {
                return bean;
            }
            return Proxy.newProxyInstance(
                    Ahead.class.getClassLoader(), new Class<?>[] {JobLockService.class}, (self, method, arguments) -> {
                        if (arguments != null
                                && arguments[0] instanceof JobRun run
                                && run.slot().isPresent()) {
                            arguments[0] = ahead(run);
                        }
                        try {
                            return method.invoke(bean, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    private static JobRun ahead(JobRun run) {
        Slot slot = run.slot().orElseThrow();
        return JobRun.slot(
                        run.job(),
                        run.lane(),
                        Slot.of(
                                slot.scheduled().plus(AHEAD),
                                slot.next().orElseThrow().plus(AHEAD),
                                slot.definition()))
                .withLockName(run.lockName());
    }

    private void node(String bean) {
        nodes.add(Node.start(
                redis.server(),
                prefix,
                Map.of("joblock.scheduling.tasks", "job.work"),
                bean,
                Node.IMPORT,
                Node.POOL,
                Node.job("job"),
                TASKS));
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
    }

    private static Set<Instant> heldBack(Node node) {
        return node.recorder.deniedSlots(DenialReason.CLOCK_AHEAD);
    }

    private List<Node.Run> runs() {
        return nodes.stream().flatMap(node -> node.recorder.runs.stream()).toList();
    }

    /** Beside a node whose clock is right, and alone. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSlotThatIsHeldBackRunsOnceAtItsTime(boolean beside) {
        node("<bean class=\"" + Ahead.class.getName() + "\"/>");
        if (beside) {
            node("");
        }
        Node ahead = nodes.get(0);
        await().atMost(PATIENCE).until(() -> heldBack(ahead).size() >= 2);
        Set<Instant> heldBack = Set.copyOf(heldBack(ahead));
        await().atMost(PATIENCE)
                .until(() -> runs().stream().map(Node.Run::slot).toList().containsAll(heldBack));
        Instant last = heldBack.stream().max(Instant::compareTo).orElseThrow();
        await().atMost(PATIENCE)
                .until(() -> runs().stream().anyMatch(run -> run.slot().isAfter(last)));

        assertThat(runs().stream().map(Node.Run::slot)).doesNotHaveDuplicates();
        assertThat(runs()).allMatch(run -> !run.since().isBefore(run.slot().minusMillis(100)));
        assertThat(nodes).allMatch(node -> node.recorder.unguarded.isEmpty());
    }
}
