package dev.joblock;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A lock as it stands in the store at one moment. Immutable and thread-safe. */
public final class LockView {

    private final String lockName;
    private final @Nullable RecordedRun run;
    private final @Nullable String nonce;
    private final @Nullable Instant until;
    private final @Nullable String problem;
    private final @Nullable String foreignValue;

    private LockView(
            String lockName,
            @Nullable RecordedRun run,
            @Nullable String nonce,
            @Nullable Instant until,
            @Nullable String problem,
            @Nullable String foreignValue) {
        this.lockName = lockName;
        this.run = run;
        this.nonce = nonce;
        this.until = until;
        this.problem = problem;
        this.foreignValue = foreignValue;
    }

    /**
     * A lock that nobody holds.
     *
     * @param lockName its name
     * @return the view
     */
    public static LockView free(String lockName) {
        return new LockView(lockName, null, null, null, null, null);
    }

    /**
     * A lock that a run holds.
     *
     * @param lockName its name
     * @param run the run
     * @param nonce what tells this acquisition from others
     * @param until the end of the lease, in Redis time
     * @return the view
     */
    public static LockView held(String lockName, RecordedRun run, String nonce, Instant until) {
        return new LockView(lockName, run, nonce, until, null, null);
    }

    /**
     * A lock whose key holds something that is not ours, or that we can't read.
     *
     * @param lockName its name
     * @param problem a sentence for people
     * @param withoutExpiry the value, if it stands as a plain lock that never ends; else null
     * @return the view
     */
    public static LockView foreign(String lockName, String problem, @Nullable String withoutExpiry) {
        return new LockView(lockName, null, null, null, problem, withoutExpiry);
    }

    /**
     * The lock's name.
     *
     * @return the name
     */
    public String lockName() {
        return lockName;
    }

    /**
     * The run that holds it.
     *
     * @return the run, or empty if none of ours does
     */
    public Optional<RecordedRun> run() {
        return Optional.ofNullable(run);
    }

    /**
     * The holder.
     *
     * @return node and nonce, or empty if none of our runs holds it
     */
    public Optional<Holder> holder() {
        return run == null || nonce == null ? Optional.empty() : Optional.of(new Holder(run.node(), nonce));
    }

    /**
     * The end of the lease.
     *
     * @return an instant in Redis time, or empty if none of our runs holds it
     */
    public Optional<Instant> until() {
        return Optional.ofNullable(until);
    }

    /**
     * What is wrong with the key.
     *
     * @return a sentence for people, or empty if nothing is
     */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    /**
     * The value of a plain lock without expiry, as older hand-written locks leave behind: it ends only by
     * {@link JobLockOperations#release}.
     *
     * @return the value, or empty if there is no such lock
     */
    public Optional<String> valueWithoutExpiry() {
        return Optional.ofNullable(foreignValue);
    }
}
