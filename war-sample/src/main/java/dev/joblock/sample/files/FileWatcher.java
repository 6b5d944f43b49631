package dev.joblock.sample.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does one task: looks whether a file has come, or come again, and has what is new loaded. Thread-safe. */
public class FileWatcher {

    private static final Logger LOG = LoggerFactory.getLogger(FileWatcher.class);

    private final Path inbox;
    private final Duration quiet;
    private final FileArchive archive;
    private final FileStates states;
    private final FileLoader loader;

    /**
     * A watcher.
     *
     * @param inbox the folder into which partners put their files
     * @param quietMillis how long a file must not have changed before it is believed to be whole
     * @param archive where contents are kept
     * @param states where states are kept
     * @param loader who loads
     */
    public FileWatcher(String inbox, long quietMillis, FileArchive archive, FileStates states, FileLoader loader) {
        this.inbox = Path.of(inbox);
        this.quiet = Duration.ofMillis(quietMillis);
        this.archive = archive;
        this.states = states;
        this.loader = loader;
    }

    /**
     * Looks after a file. What can't be done now is done in the next cycle.
     *
     * @param task which one
     * @param node this node
     * @throws IOException if the file can't be read
     */
    public void watch(FileTask task, String node) throws IOException {
        Optional<SeenFile> seen = states.find(task.name());
        if (seen.isEmpty()) {
            LOG.warn(
                    "The task '{}' is for the file '{}', which is not expected; it is left out",
                    task.id(),
                    task.name());
            return;
        }
        if (hasArrived(task.name(), seen.get(), node)) {
            // Also a version that was replaced before its load had ended.
            states.toBeLoaded(task.name()).forEach(version -> loader.load(version, node));
        }
        states.watched(task, node);
    }

    /** Notes what is new, and says whether there has ever been anything. */
    private boolean hasArrived(String name, SeenFile seen, String node) throws IOException {
        Path file = inbox.resolve(name);
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            Instant modified = now.lastModifiedTime().toInstant();
            if (seen.is(now.size(), modified) || isBeingWritten(modified)) {
                return seen.hasArrived();
            }
            Optional<ArchivedFile> copy = archive.copy(file);
            if (copy.isEmpty()) {
                return seen.hasArrived();
            }
            FileVersion version = states.arrived(name, copy.get(), node);
            LOG.info(
                    "'{}' has arrived: version {}, {} bytes",
                    name,
                    version.number(),
                    copy.get().size());
            return true;
        } catch (NoSuchFileException e) {
            return seen.hasArrived(); // not there yet, or taken away again: what was delivered is loaded all the same
        }
    }

    /** A time in the future is that of another machine, and says nothing. */
    private boolean isBeingWritten(Instant modified) {
        return Duration.between(modified, Instant.now()).abs().compareTo(quiet) < 0;
    }
}
