package dev.joblock.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/**
 * A real Redis: a process of its own on a free loopback port, which keeps that port for its whole life, or a server that
 * somebody else runs.
 *
 * <p>States: running → {@link #kill() killed} or {@link #stop() stopped} → {@link #start() running} again, on the same port
 * and data folder; {@link #pause() paused} → {@link #resume() running}; {@link #close() closed} at the end. A server that is
 * not closed ends with the JVM. Only processes that were started here are ever signalled, by their handle.
 *
 * <p>Which executable: system property {@code joblock.redis.executable} (a path, or {@code embedded}), else
 * {@code redis-server} on the path, else the one that embedded-redis brings. {@link #shared()} takes the server at
 * {@code joblock.redis=host:port} instead, where that is set.
 *
 * <p>Life-cycle methods are for one thread; {@link #call} is for any.
 */
public final class RedisServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** Below the ports that the system gives to clients, so that nobody takes ours while it is down. */
    private static final int FIRST_PORT = 20_000;

    private static final int LAST_PORT = 32_000;
    private static final Set<RedisServer> OPEN = ConcurrentHashMap.newKeySet();

    private final String host;
    private final int port;
    private final List<String> arguments;
    private final @Nullable Path folder;
    private @Nullable Process process;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.forEach(RedisServer::close), "redis-servers-close"));
    }

    private RedisServer(String host, int port, List<String> arguments, @Nullable Path folder) {
        this.host = host;
        this.port = port;
        this.arguments = arguments;
        this.folder = folder;
    }

    /**
     * The one server of this JVM, started at the first call. Tests share it and therefore use names of their own, and leave it
     * running.
     */
    public static RedisServer shared() {
        return Shared.SERVER;
    }

    /**
     * Starts a server for the caller alone, who may kill it and must close it. It persists nothing unless asked to.
     *
     * @param arguments for the command line, for example {@code "--appendonly", "yes"}; the first may be a file
     *     {@code *.conf}, as a sentinel needs
     */
    public static RedisServer launch(String... arguments) {
        IllegalStateException last = new IllegalStateException("not tried");
        for (int attempt = 0; attempt < 5; attempt++) {
            RedisServer server = new RedisServer("127.0.0.1", freePort(), List.of(arguments), newFolder());
            try {
                server.start();
                return server;
            } catch (IllegalStateException e) {
                server.close();
                last = e;
                if (!String.valueOf(e.getMessage()).contains("Address already in use")) {
                    throw e;
                }
            }
        }
        throw last;
    }

    /** The server at {@code host:port}, which is never started or ended from here. */
    static RedisServer external(String address) {
        int colon = address.lastIndexOf(':');
        if (colon < 1 || !address.substring(colon + 1).matches("\\d{1,5}")) {
            throw new IllegalArgumentException("joblock.redis is '" + address + "' but must read host:port");
        }
        RedisServer server = new RedisServer(
                address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)), List.of(), null);
        server.awaitPong();
        return server;
    }

    public String host() {
        return host;
    }

    public int port() {
        return port;
    }

    /** The process id, for signals of other kinds. */
    public long pid() {
        return running().pid();
    }

    /** Whether the process lives (a paused one does). */
    public boolean isAlive() {
        Process current = process;
        return folder == null || (current != null && current.isAlive());
    }

    /** Starts the process, if none is running, and returns when it has answered PONG. */
    public void start() {
        if (isAlive()) {
            return;
        }
        Path data = ownFolder();
        List<String> command = new ArrayList<>(List.of(Executable.PATH));
        boolean configured = !arguments.isEmpty() && arguments.get(0).endsWith(".conf");
        if (configured) {
            command.add(arguments.get(0));
        }
        command.addAll(List.of(
                "--port",
                Integer.toString(port),
                "--bind",
                host,
                "--dir",
                data.toString(),
                "--save",
                "",
                "--appendonly",
                "no"));
        command.addAll(configured ? arguments.subList(1, arguments.size()) : arguments);
        try {
            OPEN.add(this);
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(
                            ProcessBuilder.Redirect.appendTo(data.resolve("log").toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitPong();
    }

    /** Ends the process at once, as a power cut does (SIGKILL), and returns when it is gone. */
    public void kill() {
        end(running().destroyForcibly());
    }

    /** Ends the process in order (SIGTERM), so that it saves what it is configured to save, and returns when it is gone. */
    public void stop() {
        Process current = running();
        current.destroy();
        end(current);
    }

    /** {@link #stop} and {@link #start}. */
    public void restart() {
        stop();
        start();
    }

    /** Halts the process (SIGSTOP): connections are accepted and nothing is answered. */
    public void pause() {
        signal("STOP");
    }

    /** Lets a paused process go on (SIGCONT). */
    public void resume() {
        signal("CONT");
    }

    /** Ends the process, paused or not, and removes its folder. Safe to call twice; leaves a server that others run alone. */
    @Override
    public void close() {
        Process current = process;
        if (current != null) {
            end(current.destroyForcibly());
        }
        OPEN.remove(this);
        if (folder != null) {
            delete(folder);
        }
    }

    /**
     * Sends one command on a connection of its own.
     *
     * @return a String, Long, {@code List<Object>} or null, as the reply is
     * @throws IllegalStateException with Redis's own text if the reply is an error
     * @throws UncheckedIOException if there is no answer within 2 s
     */
    public @Nullable Object call(String... command) {
        try (RespConnection connection = new RespConnection(host, port)) {
            return connection.call(command);
        } catch (IOException e) {
            throw new UncheckedIOException(String.join(" ", command) + " at " + host + ":" + port + ": " + e, e);
        }
    }

    /** {@link #call} for replies that are a string or a number; an absent value reads as {@code ""}. */
    public String text(String... command) {
        Object reply = call(command);
        return reply == null ? "" : reply.toString();
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }

    private void awaitPong() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        RuntimeException last;
        do {
            try {
                if (text("PING").equals("PONG")) {
                    return;
                }
                last = new IllegalStateException("PING was not answered by PONG");
            } catch (UncheckedIOException | IllegalStateException e) {
                last = e;
            }
            if (!isAlive()) {
                throw new IllegalStateException("Redis at " + this + " ended at start: " + log(), last);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        } while (System.nanoTime() < deadline);
        throw new IllegalStateException("Redis at " + this + " gave no PONG within " + PATIENCE + ": " + log(), last);
    }

    private Process running() {
        Process current = process;
        if (current == null || !current.isAlive()) {
            throw new IllegalStateException(
                    folder == null
                            ? "Redis at " + this + " is run by somebody else; take RedisServer.launch() to end one"
                            : "Redis at " + this + " is not running");
        }
        return current;
    }

    private void end(Process current) {
        try {
            if (!current.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                current.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            current.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void signal(String name) {
        try {
            int exit = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("kill -" + name + " " + pid() + " gave " + exit);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private Path ownFolder() {
        Path own = folder;
        if (own == null) {
            throw new IllegalStateException("Redis at " + this + " is run by somebody else");
        }
        return own;
    }

    private String log() {
        try {
            Path log = folder == null ? null : folder.resolve("log");
            return log != null && Files.exists(log) ? Files.readString(log).strip() : "(no log)";
        } catch (IOException e) {
            return "(" + e + ")";
        }
    }

    private static int freePort() {
        for (int attempt = 0; attempt < 200; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return probe.getLocalPort();
            } catch (IOException busy) {
                // The next one, then.
            }
        }
        throw new IllegalStateException("no free port between " + FIRST_PORT + " and " + LAST_PORT);
    }

    private static Path newFolder() {
        try {
            return Files.createTempDirectory("joblock-redis-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> deepestFirst = new ArrayList<>(files.toList());
            Collections.reverse(deepestFirst);
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Shared {
        static final RedisServer SERVER = find();

        private static RedisServer find() {
            String address = System.getProperty("joblock.redis", "");
            return address.isEmpty() ? launch() : external(address);
        }
    }

    private static final class Executable {
        static final String PATH = find();

        private static String find() {
            String given = System.getProperty("joblock.redis.executable", "");
            if (!given.isEmpty() && !given.equals("embedded")) {
                return given;
            }
            return given.isEmpty() ? onThePath() : embedded();
        }

        private static String onThePath() {
            return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                    .map(directory -> Path.of(directory, "redis-server"))
                    .filter(Files::isExecutable)
                    .map(Path::toString)
                    .findFirst()
                    .orElseGet(Executable::embedded);
        }

        private static String embedded() {
            try {
                Path folder = newFolder();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder), "redis-executable-delete"));
                return ExecutableProvider.newJarResourceProvider(folder.toFile())
                        .get()
                        .getAbsolutePath();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
