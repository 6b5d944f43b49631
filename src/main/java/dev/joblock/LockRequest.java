package dev.joblock;

import java.time.Duration;
import java.util.Objects;

/**
 * What the engine asks of a store for one acquisition. Immutable and thread-safe.
 */
public final class LockRequest {

    private final String lockName;
    private final JobRun run;
    private final Holder holder;
    private final Duration lease;
    private final boolean clockTrusted;

    /**
     * A request.
     *
     * @param lockName the lock's name, without the store's prefix
     * @param run the run that asks
     * @param holder who asks; the same holder gets the same answer
     * @param lease how long the lock is granted for
     * @param clockTrusted whether Redis time may refuse a slot that lies ahead; false where Redis is the outlier
     * @throws IllegalArgumentException if the lease is not positive, whole milliseconds
     */
    public LockRequest(String lockName, JobRun run, Holder holder, Duration lease, boolean clockTrusted) {
        this.lockName = Objects.requireNonNull(lockName);
        this.run = Objects.requireNonNull(run);
        this.holder = Objects.requireNonNull(holder);
        this.lease = Durations.positive("lease of '" + lockName + "'", lease);
        this.clockTrusted = clockTrusted;
    }

    /**
     * The lock's name.
     *
     * @return the name, without the store's prefix
     */
    public String lockName() {
        return lockName;
    }

    /**
     * The run that asks.
     *
     * @return the run
     */
    public JobRun run() {
        return run;
    }

    /**
     * Who asks.
     *
     * @return the holder
     */
    public Holder holder() {
        return holder;
    }

    /**
     * How long the lock is granted for.
     *
     * @return a positive duration
     */
    public Duration lease() {
        return lease;
    }

    /**
     * Whether Redis time may refuse a slot that lies ahead of it.
     *
     * @return false where Redis is the outlier among the clocks
     */
    public boolean isClockTrusted() {
        return clockTrusted;
    }
}
