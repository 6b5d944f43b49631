package dev.joblock.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One process of the cluster. Thread-safe. */
public final class Child {

    /** How long a process may take to stop before it is killed; a Tomcat waits for its running jobs. */
    private static final Duration GRACE = Duration.ofSeconds(15);

    private final String kind;
    private final String name;
    private final Process process;
    private final Path log;

    Child(String kind, String name, Process process, Path log) {
        this.kind = kind;
        this.name = name;
        this.process = process;
        this.log = log;
    }

    String kind() {
        return kind;
    }

    String name() {
        return name;
    }

    /**
     * Where its output goes.
     *
     * @return its log
     */
    public Path log() {
        return log;
    }

    /**
     * The process itself, for signals.
     *
     * @return its handle
     */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /**
     * Whether it lives; a halted one does.
     *
     * @return false once it has ended
     */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Sends SIGTERM and returns. */
    void askToStop() {
        process.destroy();
    }

    /** Sends SIGTERM and waits; kills what has not ended then. */
    public void stop() {
        process.destroy();
        if (!awaitEnd(GRACE)) {
            kill();
        }
    }

    /** Sends SIGKILL and waits until the process is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd(GRACE);
    }

    /**
     * Waits for the end of the process.
     *
     * @param most how long at the most
     * @return true if it has ended
     */
    boolean awaitEnd(Duration most) {
        try {
            return process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }

    /** How it ended, for example {@code exit code 137}. */
    String ending() {
        return process.isAlive() ? "still running" : "exit code " + process.exitValue();
    }

    /**
     * Everything that it has written so far.
     *
     * @return the lines of its log
     */
    public List<String> logLines() {
        try {
            // Not readAllLines: a log may hold any bytes, and a message about a failure must not fail itself.
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
