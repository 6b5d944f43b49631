package dev.joblock.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The folder of one running cluster, with the list of its processes: the first line is the process that owns the
 * cluster. Not thread-safe.
 */
public final class RunFolder {

    private static final long PATIENCE_SECONDS = 5;

    private final Path folder;
    private final Path list;

    private RunFolder(Path folder) {
        this.folder = folder;
        this.list = folder.resolve("processes");
    }

    /**
     * Takes the folder: ends what an earlier run that was killed has left running, empties the folder, and writes down
     * who owns it now.
     *
     * @param path the folder
     * @return the empty folder
     * @throws ClusterException if another cluster runs in it
     */
    public static RunFolder take(Path path) {
        RunFolder run = new RunFolder(path);
        try {
            run.endLeftovers();
            deleteAll(path);
            Files.createDirectories(path);
            run.add(RecordedProcess.of("owner", ProcessHandle.current()));
            return run;
        } catch (IOException e) {
            throw new ClusterException("The folder " + path + " can't be used: " + e, e);
        }
    }

    /**
     * Where it is.
     *
     * @return the folder
     */
    public Path path() {
        return folder;
    }

    /** Writes a process down, at once, since its owner may be killed at any time. */
    void add(RecordedProcess process) {
        try {
            Files.writeString(
                    list,
                    process.line() + "\n",
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives the folder back when everything in it has ended. Logs stay. */
    void release() {
        try {
            Files.deleteIfExists(list);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void endLeftovers() throws IOException {
        if (!Files.exists(list)) {
            return;
        }
        List<RecordedProcess> recorded = Files.readAllLines(list, StandardCharsets.UTF_8).stream()
                .map(RecordedProcess::parse)
                .flatMap(Optional::stream)
                .toList();
        for (RecordedProcess process : recorded) {
            Optional<ProcessHandle> alive = process.find();
            if (alive.isEmpty()) {
                continue;
            }
            if (process.name().equals("owner")) {
                throw new ClusterException("A cluster is already running from " + folder + " (process " + process.pid()
                        + "). Stop that one first");
            }
            end(alive.get());
        }
    }

    private static void end(ProcessHandle process) {
        process.destroyForcibly();
        try {
            process.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // Killed, and nobody has collected it yet: it does no harm. A port that it keeps is found out next.
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(folder)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.delete(path);
        }
    }
}
