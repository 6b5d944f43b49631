package dev.joblock.cluster.guest;

import dev.joblock.Denied;
import dev.joblock.JobLockListener;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.Slot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.io.Resource;

/** One line for each run and each denial, in a file of all applications. Thread-safe: a line is one append. */
public class SlotFile implements JobLockListener {

    private final Path file;
    private final String application;
    private final ObjectProvider<JobLockService> service;

    /**
     * A file, made with the first line.
     *
     * @param file where
     * @param folder of the application; it has its name, with the version
     * @param service asked later for the node's id; not now, since the service needs its listeners first
     * @throws IOException if the application has no folder
     */
    public SlotFile(String file, Resource folder, ObjectProvider<JobLockService> service) throws IOException {
        this.file = Path.of(file);
        this.application = folder.getFile().getName();
        this.service = service;
    }

    /**
     * A body has begun.
     *
     * @param slot the scheduled fire time
     */
    public void ran(Instant slot) {
        write("ran", slot);
    }

    @Override
    public void onDenied(JobRun run, Denied denied) {
        write("denied", run.slot().map(Slot::scheduled).orElse(Instant.EPOCH));
    }

    private void write(String what, Instant slot) {
        String line = what + "\t" + slot + "\t" + application + "\t"
                + service.getObject().nodeId() + "\n";
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
