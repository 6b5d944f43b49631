package dev.joblock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A node as its last heartbeat showed it. Immutable and thread-safe. */
public final class NodeInfo {

    private final String id;
    private final String version;
    private final String contextPath;
    private final String host;
    private final String zone;
    private final Instant lastSeen;
    private final boolean alive;
    private final @Nullable Duration clockOffset;
    private final int threads;
    private final int busyThreads;
    private final List<RegisteredJob> jobs;
    private final List<String> warnings;

    /**
     * A node.
     *
     * @param id its id
     * @param version the version of the kit; empty if not known
     * @param contextPath the path of its web application; empty for none
     * @param host the name of its host; empty if not known
     * @param zone the id of the default zone of its JVM; empty if not known
     * @param lastSeen its last heartbeat, in Redis time
     * @param alive whether that is recent
     * @param clockOffset its clock less that of Redis; null if not known
     * @param threads how many workers its schedulers have
     * @param busyThreads how many of them run a job
     * @param jobs its jobs, one entry for each trigger
     * @param warnings sentences for people about what is wrong with it
     */
    public NodeInfo(
            String id,
            String version,
            String contextPath,
            String host,
            String zone,
            Instant lastSeen,
            boolean alive,
            @Nullable Duration clockOffset,
            int threads,
            int busyThreads,
            List<RegisteredJob> jobs,
            List<String> warnings) {
        this.id = id;
        this.version = version;
        this.contextPath = contextPath;
        this.host = host;
        this.zone = zone;
        this.lastSeen = lastSeen;
        this.alive = alive;
        this.clockOffset = clockOffset;
        this.threads = threads;
        this.busyThreads = busyThreads;
        this.jobs = Collections.unmodifiableList(new ArrayList<>(jobs));
        this.warnings = Collections.unmodifiableList(new ArrayList<>(warnings));
    }

    /**
     * The node's id.
     *
     * @return the id
     */
    public String id() {
        return id;
    }

    /**
     * The version of the kit.
     *
     * @return the version; empty if not known
     */
    public String version() {
        return version;
    }

    /**
     * The path of its web application.
     *
     * @return for example {@code /shop}; empty for none
     */
    public String contextPath() {
        return contextPath;
    }

    /**
     * The name of its host.
     *
     * @return the name; empty if not known
     */
    public String host() {
        return host;
    }

    /**
     * The default zone of its JVM.
     *
     * @return a zone id; empty if not known
     */
    public String zone() {
        return zone;
    }

    /**
     * Its last heartbeat.
     *
     * @return an instant in Redis time
     */
    public Instant lastSeen() {
        return lastSeen;
    }

    /**
     * Whether its last heartbeat is recent.
     *
     * @return false if it was silent for 15 seconds
     */
    public boolean isAlive() {
        return alive;
    }

    /**
     * Its clock less that of Redis.
     *
     * @return positive if the node's clock is ahead; empty if not known
     */
    public Optional<Duration> clockOffset() {
        return Optional.ofNullable(clockOffset);
    }

    /**
     * How many workers its schedulers have.
     *
     * @return a number, 0 if it has none
     */
    public int threads() {
        return threads;
    }

    /**
     * How many of the workers run a job.
     *
     * @return a number
     */
    public int busyThreads() {
        return busyThreads;
    }

    /**
     * Its jobs.
     *
     * @return an unmodifiable list, one entry for each trigger
     */
    public List<RegisteredJob> jobs() {
        return jobs;
    }

    /**
     * What is wrong with it: an id that another node has too, a clock that differs, schedules or zones that differ from other
     * nodes'.
     *
     * @return sentences for people; empty if all is well
     */
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public String toString() {
        return id;
    }
}
