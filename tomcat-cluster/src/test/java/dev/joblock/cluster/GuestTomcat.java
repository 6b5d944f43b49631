package dev.joblock.cluster;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A Tomcat into whose folder applications are put, and taken out again, while it runs. To be used by one thread. */
final class GuestTomcat {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String LOADER = "org.apache.catalina.loader.ParallelWebappClassLoader";

    private final Path base;
    private final Path war;
    private final Child child;

    private GuestTomcat(Path base, Path war, Child child) {
        this.base = base;
        this.war = war;
        this.child = child;
    }

    /** Starts one without any application. */
    static GuestTomcat start(Processes processes, Layout layout, int port, Map<String, String> settings)
            throws IOException {
        Path base = layout.run().resolve("tomcat");
        for (String folder : List.of("conf", "webapps", "logs", "temp", "work")) {
            Files.createDirectories(base.resolve(folder));
        }
        try (InputStream server = Objects.requireNonNull(GuestTomcat.class.getResourceAsStream("/guest/server.xml"))) {
            Files.copy(server, base.resolve("conf/server.xml"));
        }
        Files.writeString(
                base.resolve("conf/web.xml"),
                "<web-app xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"6.1\"/>");
        Files.writeString(base.resolve("conf/logging.properties"), """
            handlers = java.util.logging.ConsoleHandler
            .handlers = java.util.logging.ConsoleHandler
            java.util.logging.ConsoleHandler.level = INFO
            java.util.logging.ConsoleHandler.formatter = org.apache.juli.OneLineFormatter
            """);
        Path war = layout.run().resolve("guest.war");
        GuestWar.write(layout.war(), war);
        Child child = processes.start("tomcat", "tomcat", command(layout.tomcat(), base, port, settings));
        Waiting.until(
                PATIENCE,
                Duration.ofMillis(50),
                child,
                () -> child.logLines().stream().anyMatch(line -> line.contains("Server startup in")));
        return new GuestTomcat(base, war, child);
    }

    /** Puts the application there under a name such as {@code shop##001}, or again if it is there, and waits until it runs. */
    void deploy(String name) throws IOException {
        long before = deployments(name);
        Path copy = base.resolve("temp/" + name + ".war");
        Files.copy(war, copy, StandardCopyOption.REPLACE_EXISTING);
        Files.move(copy, target(name), StandardCopyOption.ATOMIC_MOVE); // never half a file
        Waiting.until(PATIENCE, Duration.ofMillis(50), child, () -> deployments(name) > before);
        if (LogReason.saysFailed(log())) {
            throw new ClusterException(
                    name + " does not start: " + LogReason.of(log()) + "\n  Its log: " + child.log());
        }
    }

    /** Takes the application away, and waits until it has stopped. */
    void undeploy(String name) throws IOException {
        Files.delete(target(name));
        Path folder = base.resolve("webapps/" + name);
        await(name + " has gone").atMost(PATIENCE).until(() -> !Files.exists(folder)); // deleted after the stop
    }

    List<String> log() {
        return child.logLines();
    }

    /** The threads whose name contains one of the words, or that run a class whose name does. */
    List<String> threads(String... words) {
        return jcmd("Thread.print")
                .lines()
                .filter(line -> line.startsWith("\""))
                .map(line -> line.substring(1, line.indexOf('"', 1)))
                .filter(name -> List.of(words).stream().anyMatch(name::contains))
                .sorted()
                .toList();
    }

    /** How many class loaders of applications there are after a full collection. */
    long loaders() {
        return jcmd("GC.class_histogram")
                .lines()
                .map(line -> line.trim().split("\\s+"))
                .filter(parts -> parts.length > 3 && parts[3].equals(LOADER))
                .mapToLong(parts -> Long.parseLong(parts[1]))
                .sum();
    }

    private Path target(String name) {
        return base.resolve("webapps/" + name + ".war");
    }

    private long deployments(String name) {
        return log().stream()
                .filter(line -> line.contains("/webapps/" + name + ".war] has finished in"))
                .count();
    }

    private String jcmd(String what) {
        try {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            String.valueOf(child.handle().pid()),
                            what)
                    .redirectErrorStream(true)
                    .start();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("jcmd " + what + ": " + answer);
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The modules are opened as Tomcat's start script does: its search for leaks looks into threads and ThreadLocals. */
    private static List<String> command(Path home, Path base, int port, Map<String, String> settings) {
        List<String> command = new ArrayList<>(List.of(
                Programs.java(),
                "-Xmx192m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:SoftRefLRUPolicyMSPerMB=0", // else a class loader may stay for a cache's sake
                "-Dcatalina.home=" + home,
                "-Dcatalina.base=" + base,
                "-Djava.io.tmpdir=" + base.resolve("temp"),
                "-Djava.util.logging.config.file=" + base.resolve("conf/logging.properties"),
                "-Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager",
                "-Dguest.port=" + port,
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                "--add-opens=java.base/java.io=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
                "--add-opens=java.rmi/sun.rmi.transport=ALL-UNNAMED"));
        settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.addAll(List.of(
                "-cp",
                home.resolve("bin/bootstrap.jar") + File.pathSeparator + home.resolve("bin/tomcat-juli.jar"),
                "org.apache.catalina.startup.Bootstrap",
                "start"));
        return command;
    }
}
