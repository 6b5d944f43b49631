package dev.joblock.cluster.faults;

import dev.joblock.cluster.Child;
import dev.joblock.cluster.Processes;
import dev.joblock.cluster.Programs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One JVM of a fleet, seen from outside. */
final class Node {

    private final Processes processes;
    private final String name;
    private final List<String> command = new ArrayList<>();
    private final @Nullable Duration lag;
    private @Nullable Child child;
    private long killedAt;

    /**
     * A node that is not started.
     *
     * @param xml the context file on the class path
     * @param environment what its clock is, as {@code NAME=value}
     * @param settings its system properties
     * @param lag how long after the others it answers at the most; null if too long to wait for it
     */
    Node(
            Processes processes,
            String name,
            String xml,
            List<String> environment,
            Map<String, String> settings,
            @Nullable Duration lag) {
        this.processes = processes;
        this.name = name;
        this.lag = lag;
        if (!environment.isEmpty()) {
            command.add("env");
            command.addAll(environment);
        }
        command.addAll(List.of(Programs.java(), "-Xmx64m", "-Xss512k", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-XX:-UsePerfData", "-Dlogback.configurationFile=faults/logback.xml"));
        settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.addAll(List.of("-cp", classPath(), FaultNode.class.getName(), xml));
    }

    String name() {
        return name;
    }

    /** How long after the others it answers; null if it is not waited for. */
    @Nullable
    Duration lag() {
        return lag;
    }

    void start() {
        child = processes.start("node", name, command);
    }

    Child child() {
        Child current = child;
        if (current == null) {
            throw new IllegalStateException(name + " was not started");
        }
        return current;
    }

    /** SIGKILL; whatever its handles said, they say nothing any more. */
    void kill() {
        killedAt = System.nanoTime();
        child().kill();
    }

    void halt() {
        Signals.halt(child());
    }

    void goOn() {
        Signals.goOn(child());
    }

    boolean isAlive() {
        return child != null && child.isAlive();
    }

    /** When it was killed last. */
    long killedAt() {
        return killedAt;
    }

    /** How many lines of its log are warnings or errors. */
    long warnings() {
        return child().logLines().stream()
                .filter(line -> line.matches("[0-9:.]+ (WARN|ERROR).*"))
                .count();
    }

    /** That of the tests; Maven hides it behind a jar of its own, and tells it beside. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
