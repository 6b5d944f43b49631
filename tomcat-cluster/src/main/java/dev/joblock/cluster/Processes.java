package dev.joblock.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The processes of one cluster. Whatever way this JVM ends, they end: by {@link #close()}, or else together with their
 * parent where Linux's {@code setpriv} is there, or else at the next start from the same folder.
 *
 * <p>Thread-safe. Once closed it starts nothing more.
 */
public final class Processes implements AutoCloseable {

    private final RunFolder folder;
    private final List<String> prefix = prefix();
    private final List<Child> children = new ArrayList<>();

    /**
     * All children are started by one thread that lives as long as they do: "ends with its parent" means, to Linux, with
     * the thread that started it.
     */
    private final ExecutorService starter = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "joblock-process-starter");
        thread.setDaemon(true);
        return thread;
    });

    private boolean closed;

    /**
     * No processes yet.
     *
     * @param folder for their logs, and for the list of them
     */
    public Processes(RunFolder folder) {
        this.folder = folder;
    }

    /**
     * Starts a process whose output goes to {@code <name>.log} in the run folder.
     *
     * @param kind what it is; processes of one kind are stopped at once
     * @param name one word
     * @param command program and arguments
     * @return the process
     */
    public synchronized Child start(String kind, String name, List<String> command) {
        if (closed) {
            throw new ClusterException("The cluster is being stopped; " + name + " is not started");
        }
        List<String> full = new ArrayList<>(prefix);
        full.addAll(command);
        Path log = folder.path().resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(full)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        Child child = new Child(kind, name, onStarter(builder::start), log);
        children.add(child);
        folder.add(RecordedProcess.of(name, child.handle()));
        return child;
    }

    /**
     * All that were ever started, in that order.
     *
     * @return a copy
     */
    public synchronized List<Child> all() {
        return List.copyOf(children);
    }

    /**
     * Stops what still runs, the kinds in the reverse order of their start: Tomcats need Redis and H2 until their last
     * job has ended.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        Set<String> kinds = new LinkedHashSet<>();
        all().forEach(child -> kinds.add(child.kind()));
        List<String> lastFirst = new ArrayList<>(kinds);
        Collections.reverse(lastFirst);
        for (String kind : lastFirst) {
            List<Child> some =
                    all().stream().filter(child -> child.kind().equals(kind)).toList();
            some.forEach(Child::askToStop);
            some.forEach(Child::stop);
        }
        starter.shutdown();
        folder.release();
    }

    /**
     * What goes before each command on Linux: the kernel kills the child when its parent is gone; and a session of its
     * own, so that a terminal's Ctrl-C reaches this JVM alone, which then stops everything in order.
     */
    private static List<String> prefix() {
        return Programs.onPath("setpriv").isPresent()
                        && Programs.onPath("setsid").isPresent()
                ? List.of("setpriv", "--pdeathsig", "KILL", "--", "setsid")
                : List.of();
    }

    private <T> T onStarter(Callable<T> task) {
        try {
            return starter.submit(task).get();
        } catch (ExecutionException e) {
            throw new ClusterException("A process can't be started: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted while starting a process", e);
        }
    }
}
