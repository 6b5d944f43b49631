package dev.joblock;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run as the record of a lock names it: whose, which slot, since when. Immutable and thread-safe.
 */
public final class RecordedRun {

    private final String node;
    private final String lane;
    private final @Nullable Instant scheduled;
    private final Instant since;
    private final long token;

    /**
     * A run of the record.
     *
     * @param node the node that ran it
     * @param lane its lane; empty where the rule has none
     * @param scheduled its scheduled time; null where the rule has no slot
     * @param since when it was granted, in Redis time
     * @param token its fencing token
     */
    public RecordedRun(String node, String lane, @Nullable Instant scheduled, Instant since, long token) {
        this.node = node;
        this.lane = lane;
        this.scheduled = scheduled;
        this.since = since;
        this.token = token;
    }

    /**
     * The node that ran it.
     *
     * @return the node's id
     */
    public String node() {
        return node;
    }

    /**
     * The lane of the run.
     *
     * @return the lane; empty where the rule has none
     */
    public String lane() {
        return lane;
    }

    /**
     * The scheduled time of the run.
     *
     * @return an instant, or empty where the rule has no slot
     */
    public Optional<Instant> scheduled() {
        return Optional.ofNullable(scheduled);
    }

    /**
     * When the run was granted.
     *
     * @return an instant in Redis time
     */
    public Instant since() {
        return since;
    }

    /**
     * The fencing token of the run.
     *
     * @return a positive number
     */
    public long fencingToken() {
        return token;
    }

    @Override
    public String toString() {
        return (scheduled == null ? "run" : "slot " + scheduled) + " of " + node + " since " + since;
    }
}
