package dev.joblock.cluster.faults;

import static org.awaitility.Awaitility.await;

import dev.joblock.cluster.Child;
import dev.joblock.cluster.HostPort;
import dev.joblock.cluster.Processes;
import dev.joblock.cluster.RedisProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.SafeEncoder;

/** A Redis of the suite's own: a process with a port and a folder that it keeps, to be killed and started again. */
final class FaultRedis {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int TIMEOUT_MS = 5_000;

    private final Processes processes;
    private final String name;
    private final int port;
    private final Path program;
    private final Path folder;
    private @Nullable Child child;

    FaultRedis(Processes processes, Path folder, String name, int port) {
        this.processes = processes;
        this.name = name;
        this.port = port;
        this.program = RedisProcess.program(folder);
        try {
            this.folder = Files.createDirectories(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    HostPort address() {
        return HostPort.loopback(port);
    }

    /** Starts it and waits for its PONG. Nothing is kept on disk, unless an argument says so. */
    void start(String... arguments) {
        launch(List.of(arguments));
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).until(this::isWell);
    }

    /** Starts it without waiting: it may load for a while. */
    void launch(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(program.toString(), "--port", String.valueOf(port)));
        command.addAll(List.of(
                "--bind",
                "127.0.0.1",
                "--dir",
                folder.toString(),
                "--save",
                "",
                "--appendonly",
                "no",
                "--daemonize",
                "no"));
        if (!version().startsWith("6.")) {
            command.addAll(List.of("--enable-debug-command", "local"));
        }
        command.addAll(arguments);
        child = processes.start("redis", name, command);
    }

    /** Starts it as a Sentinel with these lines of configuration. */
    void startSentinel(List<String> lines) {
        Path file = folder.resolve("sentinel.conf");
        List<String> all = new ArrayList<>(List.of("port " + port, "bind 127.0.0.1", "dir " + folder));
        all.addAll(lines);
        try {
            Files.write(file, all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        child = processes.start("redis", name, List.of(program.toString(), file.toString(), "--sentinel"));
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).until(this::isWell);
    }

    /** As a power cut does, and at once: SIGKILL. */
    void kill() {
        child().kill();
    }

    void awaitEnd() {
        await("the end of " + name)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> !child().isAlive());
    }

    void halt() {
        Signals.halt(child());
    }

    void goOn() {
        Signals.goOn(child());
    }

    boolean isWell() {
        try {
            return call("PING").equals("PONG");
        } catch (JedisException e) {
            return false;
        }
    }

    /** Removes what it has kept, so that the next start finds nothing. */
    void forget() {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path folder() {
        return folder;
    }

    /** Sends a command on a connection of its own; the answer as a text. */
    String call(String... command) {
        try (Jedis jedis = new Jedis("127.0.0.1", port, TIMEOUT_MS)) {
            String[] arguments = new String[command.length - 1];
            System.arraycopy(command, 1, arguments, 0, arguments.length);
            return text(jedis.sendCommand(() -> SafeEncoder.encode(command[0]), arguments));
        }
    }

    private static String text(@Nullable Object answer) {
        if (answer instanceof byte[]) {
            return SafeEncoder.encode((byte[]) answer);
        }
        if (answer instanceof List) {
            return ((List<?>) answer).stream().map(FaultRedis::text).collect(Collectors.joining(" "));
        }
        return String.valueOf(answer);
    }

    /** For example {@code 6.2.11}. */
    String version() {
        try {
            Process process = new ProcessBuilder(program.toString(), "--version").start();
            String line = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int at = line.indexOf("v=");
            return at < 0 ? line.strip() : line.substring(at + 2).split(" ", 2)[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Child child() {
        Child current = child;
        if (current == null) {
            throw new IllegalStateException(name + " was not started");
        }
        return current;
    }
}
