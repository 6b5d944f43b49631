package dev.joblock.cluster.faults;

import static org.awaitility.Awaitility.await;

import dev.joblock.cluster.HostPort;
import dev.joblock.cluster.faults.Records.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Four nodes that form one cluster. */
final class Fleet implements AutoCloseable {

    static final int NODES = 4;
    static final Duration LEASE = Duration.ofSeconds(3);

    private static final Duration START = Duration.ofSeconds(60);

    private final String name;
    private final Lab lab;
    private final List<Node> nodes = new ArrayList<>();

    Fleet(String name, Lab lab) {
        this.name = name;
        this.lab = lab;
    }

    /** What every node is told. */
    Map<String, String> settings(Form form, int number, HostPort redis) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("joblock.node-id", "node" + number);
        settings.put("joblock.prefix", "faults-" + name + ":");
        settings.put("joblock.lease", LEASE.toSeconds() + "s");
        settings.put("joblock.redis.host", redis.host());
        settings.put("joblock.redis.port", String.valueOf(redis.port()));
        settings.put("faults.jdbc", lab.jdbcUrl());
        settings.put("faults.cron", form.cron());
        return settings;
    }

    /** Adds a node; see {@link Node}. */
    void add(String xml, List<String> clock, Map<String, String> settings, @Nullable Duration lag) {
        nodes.add(new Node(lab.processes(), name + "-node" + (nodes.size() + 1), xml, clock, settings, lag));
    }

    /** Starts all nodes at once, and waits until each answers for each job. */
    void start() {
        long since = System.nanoTime();
        nodes.forEach(Node::start);
        nodes.forEach(this::awaitReady);
        awaitAnswers(nodes, since);
    }

    /** Starts a node again that was killed, and waits until it takes part. */
    void restart(Node node) {
        long since = System.nanoTime();
        node.start();
        awaitReady(node);
        awaitAnswers(List.of(node), since);
    }

    List<Node> nodes() {
        return List.copyOf(nodes);
    }

    /** By the name that it has in the cluster, {@code node1} to {@code node4}. */
    Node node(String nodeId) {
        return nodes.stream()
                .filter(node -> node.name().endsWith("-" + nodeId))
                .findFirst()
                .orElseThrow();
    }

    static String idOf(Node node) {
        return node.name().substring(node.name().lastIndexOf('-') + 1);
    }

    /** How long the last of the nodes that are waited for answers after the first. */
    Duration longestLag() {
        return nodes.stream()
                .map(Node::lag)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    long warnings() {
        return nodes.stream().mapToLong(Node::warnings).sum();
    }

    private void awaitReady(Node node) {
        await("start of " + node.name() + ", log " + node.child().log())
                .atMost(START)
                .pollInterval(Duration.ofMillis(50))
                .failFast(node.name() + " ended at its start", () -> !node.isAlive())
                .until(() -> lab.records().isReady(node.child().handle().pid()));
    }

    private void awaitAnswers(List<Node> some, long since) {
        await("answers of each node for each job")
                .atMost(START)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    Map<String, Long> answers = lab.records().events(since).stream()
                            .map((Event event) -> event.node() + " " + event.job())
                            .distinct()
                            .collect(Collectors.groupingBy(
                                    text -> text.substring(0, text.indexOf(' ')), Collectors.counting()));
                    return some.stream()
                            .filter(node -> node.lag() != null)
                            .allMatch(node -> answers.getOrDefault(idOf(node), 0L) == Mode.ALL.size());
                });
    }

    @Override
    public void close() {
        List<Node> alive = nodes.stream().filter(Node::isAlive).toList();
        alive.forEach(Node::goOn); // one that a failed row has left halted
        alive.forEach(node -> node.child().handle().destroy());
        alive.forEach(node -> node.child().stop());
    }
}
