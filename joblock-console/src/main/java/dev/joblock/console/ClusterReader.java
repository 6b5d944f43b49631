package dev.joblock.console;

import dev.joblock.HistoryPage;
import dev.joblock.HistoryQuery;
import dev.joblock.JobHistory;
import dev.joblock.JobLockException;
import dev.joblock.JobLockOperations;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobState;
import dev.joblock.JobStates;
import dev.joblock.NodeInfo;
import dev.joblock.Nodes;
import dev.joblock.OperationResult;
import dev.joblock.StoreException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeansException;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;

/**
 * Reads what the kit's beans in the host's context tell. However many people look, each node reads once a second at most, and one
 * at a time. Thread-safe.
 */
final class ClusterReader implements BeanFactoryAware {

    /** What the overview is made of: some 100 slots on four nodes. */
    static final int ENTRIES = 500;

    private static final Logger LOG = LoggerFactory.getLogger(ClusterReader.class);
    private static final long FRESH_NANOS = Duration.ofMillis(900).toNanos();

    private volatile Clock clock = Clock.systemUTC();

    @SuppressWarnings("NullAway.Init")
    private BeanFactory beans;

    private @Nullable Snapshot last;
    private long readAt;

    /** For tests: another clock. */
    void at(Clock other) {
        clock = other;
    }

    @Override
    public void setBeanFactory(BeanFactory factory) {
        this.beans = factory;
    }

    /** The cluster now; where the store can't answer, as it was last, with the reason. */
    synchronized Snapshot snapshot() {
        Snapshot known = last;
        if (known != null && System.nanoTime() - readAt < FRESH_NANOS) {
            return known;
        }
        Snapshot read;
        try {
            read = read();
        } catch (StoreException e) {
            LOG.debug("The console could not read", e);
            Snapshot base = known == null ? empty() : known;
            read = base.withProblem(String.valueOf(e.getMessage()));
        }
        last = read;
        readAt = System.nanoTime();
        return read;
    }

    /** Lets the next snapshot be read anew. */
    synchronized void forget() {
        readAt = System.nanoTime() - FRESH_NANOS;
    }

    /**
     * A page of the ledger.
     *
     * @throws StoreException if the store could not answer
     */
    HistoryPage history(HistoryQuery query) {
        return find("joblockHistory", JobHistory.class)
                .map(history -> history.find(query))
                .orElseGet(() -> new HistoryPage(List.of(), null));
    }

    /**
     * One job.
     *
     * @throws StoreException if the store could not answer
     */
    Optional<JobState> state(String job) {
        return find("joblockStates", JobStates.class).map(states -> states.state(job));
    }

    OperationResult runNow(String job, String by) {
        return operations(it -> it.runNow(job, by));
    }

    OperationResult release(String job, String by) {
        return operations(it -> it.release(job, by));
    }

    private OperationResult operations(Function<JobLockOperations, OperationResult> what) {
        try {
            return find("joblockOperations", JobLockOperations.class)
                    .map(what)
                    .orElseGet(() -> OperationResult.refused("This application has no bean 'joblockOperations';"
                            + " its root context has to import classpath:spring/joblock.xml"));
        } catch (JobLockException e) {
            return OperationResult.refused(String.valueOf(e.getMessage()));
        } finally {
            forget();
        }
    }

    private Snapshot read() {
        List<NodeInfo> nodes =
                find("joblockNodePresence", Nodes.class).map(Nodes::nodes).orElse(List.of());
        List<JobState> states =
                find("joblockStates", JobStates.class).map(JobStates::states).orElse(List.of());
        HistoryPage page = history(HistoryQuery.all().limit(ENTRIES));
        String own = ownNode();
        return new Snapshot(now(nodes, own), own, null, nodes, states, policies(states), page.entries());
    }

    private Snapshot empty() {
        return new Snapshot(clock.instant(), ownNode(), null, List.of(), List.of(), Map.of(), List.of());
    }

    /** Redis time, as far as this node knows how its clock differs. */
    private Instant now(List<NodeInfo> nodes, String own) {
        Duration offset = nodes.stream()
                .filter(node -> node.id().equals(own))
                .findFirst()
                .flatMap(NodeInfo::clockOffset)
                .orElse(Duration.ZERO);
        return clock.instant().minus(offset);
    }

    private Map<String, JobLockPolicy> policies(List<JobState> states) {
        Map<String, JobLockPolicy> found = new HashMap<>();
        find("joblockPolicies", JobLockPolicies.class)
                .ifPresent(all -> states.forEach(state -> found.put(state.job(), all.policyFor(state.job()))));
        return found;
    }

    private String ownNode() {
        return find("joblockSettings", Object.class)
                .map(settings ->
                        PropertyAccessorFactory.forBeanPropertyAccess(settings).getPropertyValue("nodeId"))
                .map(Object::toString)
                .orElse("");
    }

    private <T> Optional<T> find(String name, Class<T> type) throws BeansException {
        return beans.containsBean(name) ? Optional.of(beans.getBean(name, type)) : Optional.empty();
    }
}
