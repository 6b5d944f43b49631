package dev.joblock.cluster;

import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One Tomcat with the sample WAR.
 *
 * <p>States: <em>made</em> → <em>started</em> ({@link #start()}) → <em>ready</em> ({@link #awaitReady}) → <em>ended</em>
 * ({@link #kill()}, or with the cluster) → <em>started</em> again. To be used by one thread.
 */
public final class TomcatNode {

    private static final Duration READY = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int TIMEOUT_MS = 1_000;
    private static final int NOT_YET = -1;

    private final Processes processes;
    private final Path home;
    private final Path base;
    private final String name;
    private final int port;
    private final Map<String, String> settings;
    private @Nullable Child child;

    private TomcatNode(Processes processes, Path home, Path base, String name, int port, Map<String, String> settings) {
        this.processes = processes;
        this.home = home;
        this.base = base;
        this.name = name;
        this.port = port;
        this.settings = settings;
    }

    /**
     * Makes a node that is not started yet.
     *
     * @param processes where its process will belong to
     * @param layout where Tomcat and the WAR are
     * @param name the node's name, also to Joblock
     * @param port its HTTP port
     * @param settings system properties for the application
     * @return the node
     */
    static TomcatNode make(Processes processes, Layout layout, String name, int port, Map<String, String> settings) {
        Path base = layout.run().resolve(name);
        TomcatBase.create(base, layout.war(), port);
        return new TomcatNode(processes, layout.tomcat(), base, name, port, settings);
    }

    /**
     * The node's name.
     *
     * @return for example {@code node1}
     */
    public String name() {
        return name;
    }

    /**
     * Where it serves its pages.
     *
     * @return an address on this machine
     */
    public URI address() {
        return URI.create("http://127.0.0.1:" + port + "/");
    }

    /**
     * The node's process.
     *
     * @return the process that was started last
     */
    public ProcessHandle process() {
        return child().handle();
    }

    /**
     * Where its output goes.
     *
     * @return the log file
     */
    public Path log() {
        return child().log();
    }

    /**
     * How its process ended.
     *
     * @return for example {@code exit code 137}
     */
    public String ending() {
        return child().ending();
    }

    /** Starts the node, anew if it has ended. */
    public void start() {
        child = processes.start("tomcat", name, command());
    }

    /**
     * Waits until the application answers.
     *
     * @throws ClusterException if it does not start, with the reason from its log
     */
    public void awaitReady() {
        Waiting.until(READY, POLL, child(), this::isReady);
    }

    /** Ends the node by SIGKILL, without any chance to clean up. */
    public void kill() {
        child().kill();
    }

    private Child child() {
        if (child == null) {
            throw new IllegalStateException(name + " is not started; call start() first");
        }
        return child;
    }

    private boolean isReady() {
        int status = status();
        // 404 from a Tomcat that is up means that it has given up on the application, not that it needs more time.
        if (status == HttpURLConnection.HTTP_NOT_FOUND || LogReason.saysFailed(child().logLines())) {
            throw new ClusterException("The application on " + name + " does not start: "
                    + LogReason.of(child().logLines()) + "\n  Its log: " + child().log());
        }
        return status == HttpURLConnection.HTTP_OK;
    }

    private int status() {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) address().resolve("health").toURL().openConnection();
            connection.setConnectTimeout(TIMEOUT_MS);
            connection.setReadTimeout(TIMEOUT_MS);
            try {
                return connection.getResponseCode();
            } finally {
                connection.disconnect();
            }
        } catch (IOException e) {
            return NOT_YET;
        }
    }

    /** What Tomcat's start script does, with flags that halve its start-up and its memory. */
    private List<String> command() {
        List<String> command = new ArrayList<>(List.of(
                Programs.java(),
                "-Xmx96m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dcatalina.home=" + home,
                "-Dcatalina.base=" + base,
                "-Djava.io.tmpdir=" + base.resolve("temp"),
                "-Djava.util.logging.config.file=" + base.resolve("conf/logging.properties"),
                "-Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager",
                "-Dorg.apache.catalina.startup.EXIT_ON_INIT_FAILURE=true",
                "--add-opens=java.base/java.lang=ALL-UNNAMED"));
        settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.addAll(List.of(
                "-cp",
                home.resolve("bin/bootstrap.jar") + File.pathSeparator + home.resolve("bin/tomcat-juli.jar"),
                "org.apache.catalina.startup.Bootstrap",
                "start"));
        return command;
    }
}
