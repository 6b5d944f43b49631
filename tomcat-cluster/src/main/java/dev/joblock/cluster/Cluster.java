package dev.joblock.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A Redis, an H2 server and some Tomcats with the sample WAR.
 *
 * <p>{@link #start()} and the rest belong to one thread; {@link #close()} may be called by any, at any time, more than
 * once.
 */
public final class Cluster implements AutoCloseable {

    private final ClusterOptions options;
    private final Layout layout;
    private final Consumer<String> progress;
    private final Processes processes;
    private final List<TomcatNode> nodes = new ArrayList<>();
    private @Nullable RedisProcess redis;
    private @Nullable H2Process h2;

    /**
     * A cluster that is not started yet. Ends what a killed earlier run has left in its folder.
     *
     * @param options what it shall be like
     * @param layout where things are on disk
     * @param progress told in one line each what has been done
     * @throws ClusterException if a cluster runs from this folder already
     */
    public Cluster(ClusterOptions options, Layout layout, Consumer<String> progress) {
        this.options = options;
        this.layout = layout;
        this.progress = progress;
        this.processes = new Processes(RunFolder.take(layout.run()));
    }

    /**
     * Starts everything, and waits until every node answers.
     *
     * @throws ClusterException if something does not start; what was started then is stopped by {@link #close()}
     */
    public void start() {
        int count = options.nodes();
        List<Integer> ports = options.firstPort() == 0 ? Ports.free(count) : Ports.row(options.firstPort(), count);
        OptionalLong memory = Memory.availableMegabytes();
        memory.ifPresent(megabytes -> Memory.require(count, megabytes));
        progress.accept(
                "HTTP ports are free: " + ports.stream().map(String::valueOf).collect(Collectors.joining(", "))
                        + (memory.isPresent() ? "; memory available: " + memory.getAsLong() + " MB" : ""));

        List<Integer> serverPorts = Ports.free(2);
        redis = options.redis() == null
                ? RedisProcess.start(processes, layout.run(), serverPorts.get(0))
                : RedisProcess.at(options.redis());
        progress.accept("Redis answers at " + redis.address() + " (" + redis.origin() + ")");
        h2 = H2Process.start(processes, layout.run(), serverPorts.get(1));
        progress.accept("H2 answers at " + h2.address());
        startNodes(ports);
    }

    /**
     * The Tomcats.
     *
     * @return all nodes, also those that have ended
     */
    public List<TomcatNode> nodes() {
        return List.copyOf(nodes);
    }

    /**
     * The Redis of the nodes.
     *
     * @return its address
     */
    public HostPort redis() {
        return started(redis).address();
    }

    /**
     * The database in which the sample counts its runs.
     *
     * @return a JDBC URL; the user is {@code sa}, without a password
     */
    public String jdbcUrl() {
        return started(h2).jdbcUrl();
    }

    /**
     * Where partners put their files.
     *
     * @return a folder that all nodes read
     */
    public Path inbox() {
        return layout.run().resolve("inbox");
    }

    /**
     * Every process that was ever started.
     *
     * @return the processes, also those that have ended
     */
    public List<ProcessHandle> processes() {
        return processes.all().stream().map(Child::handle).toList();
    }

    /** Stops everything and waits for it: the Tomcats first, which let their running jobs end. */
    @Override
    public void close() {
        processes.close();
    }

    private void startNodes(List<Integer> ports) {
        for (int i = 0; i < ports.size(); i++) {
            String name = "node" + (i + 1);
            nodes.add(TomcatNode.make(processes, layout, name, ports.get(i), settings(name)));
        }
        progress.accept("Starting " + nodes.size() + " Tomcats; their logs are " + layout.run() + "/node*.log");
        long begin = System.nanoTime();
        nodes.forEach(TomcatNode::start);
        for (TomcatNode node : nodes) {
            node.awaitReady();
            Duration taken = Duration.ofNanos(System.nanoTime() - begin);
            progress.accept(String.format(
                    "%s answers at %s after %.1f s", node.name(), node.address(), taken.toMillis() / 1e3));
        }
    }

    private Map<String, String> settings(String node) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("joblock.node-id", node);
        settings.put("joblock.redis.host", redis().host());
        settings.put("joblock.redis.port", String.valueOf(redis().port()));
        settings.put("sample.jdbc.url", jdbcUrl());
        settings.put("sample.files.inbox", inbox().toString());
        settings.put("sample.files.archive", layout.run().resolve("archive").toString());
        settings.putAll(options.settings());
        return settings;
    }

    private static <T> T started(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("The cluster is not started; call start() first");
        }
        return part;
    }
}
