package dev.joblock.jmx;

import dev.joblock.GuardSwitch;
import dev.joblock.JobLockOperations;
import dev.joblock.JobState;
import dev.joblock.JobStates;
import dev.joblock.NodeInfo;
import dev.joblock.Nodes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the MBean shows and does. Thread-safe. */
final class JobLockView implements JobLockMXBean {

    private static final Logger LOG = LoggerFactory.getLogger(JobLockJmx.class);

    private final JobStates states;
    private final JobLockOperations operations;
    private final Nodes nodes;
    private final String nodeId;
    private final Supplier<Map<String, Long>> counts;
    private final Supplier<Collection<GuardSwitch>> switches;

    JobLockView(
            JobStates states,
            JobLockOperations operations,
            Nodes nodes,
            String nodeId,
            Supplier<Map<String, Long>> counts,
            Supplier<Collection<GuardSwitch>> switches) {
        this.states = states;
        this.operations = operations;
        this.nodes = nodes;
        this.nodeId = nodeId;
        this.counts = counts;
        this.switches = switches;
    }

    @Override
    public String getNodeId() {
        return nodeId;
    }

    @Override
    public boolean isGuarding() {
        for (GuardSwitch guard : switches.get()) {
            if (!guard.isGuarding()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void setGuarding(boolean guarding) {
        LOG.warn(
                "Guarding on node '{}' is switched {} over JMX",
                nodeId,
                guarding ? "on" : "OFF: its jobs run here whatever other nodes do");
        switches.get().forEach(guard -> guard.setGuarding(guarding));
    }

    @Override
    public Map<String, Long> getOutcomes() {
        return counts.get();
    }

    @Override
    public List<String> getNodes() {
        List<String> lines = new ArrayList<>();
        for (NodeInfo node : nodes.nodes()) {
            lines.add(node.id() + ": " + (node.isAlive() ? "alive" : "silent since " + node.lastSeen())
                    + node.clockOffset()
                            .map(offset -> ", clock " + millis(offset))
                            .orElse("")
                    + ", workers busy " + node.busyThreads() + " of " + node.threads()
                    + (node.warnings().isEmpty() ? "" : ", " + node.warnings()));
        }
        return lines;
    }

    @Override
    public Map<String, String> getJobs() {
        Map<String, String> lines = new TreeMap<>();
        states.states().forEach(state -> lines.put(state.job(), describe(state)));
        return lines;
    }

    @Override
    public String runNow(String job, String by) {
        return operations.runNow(job, by).message();
    }

    @Override
    public String release(String job, String by) {
        return operations.release(job, by).message();
    }

    private static String describe(JobState state) {
        String held = state.lock()
                .run()
                .map(run -> "held by " + run.node() + " since " + run.since()
                        + state.lock()
                                .until()
                                .map(until -> ", lease until " + until)
                                .orElse(""))
                .orElse("not held");
        String runs = state.runs()
                .map(run -> ", last " + run.outcome() + " on " + run.node() + " at " + run.at()
                        + run.slot().map(slot -> " (slot " + slot + ")").orElse("")
                        + ", last success " + text(run.lastSuccess().orElse(null))
                        + ", last failure " + text(run.lastFailure().orElse(null))
                        + ", failures in a row " + run.consecutiveFailures())
                .orElse("");
        return held
                + runs
                + state.lock().problem().map(problem -> ", PROBLEM: " + problem).orElse("");
    }

    private static String text(@Nullable Instant time) {
        return time == null ? "never" : time.toString();
    }

    private static String millis(Duration offset) {
        return (offset.isNegative() ? "" : "+") + offset.toMillis() + " ms";
    }
}
