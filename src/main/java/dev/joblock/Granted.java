package dev.joblock;

import java.util.Objects;

/** The lock was got. Immutable and thread-safe; the handle has its own states. */
public final class Granted extends LockOutcome {

    private final JobLock lock;

    /**
     * A grant.
     *
     * @param lock the handle
     */
    public Granted(JobLock lock) {
        this.lock = Objects.requireNonNull(lock);
    }

    /**
     * The handle of the lease.
     *
     * @return the handle; whoever asked must release it
     */
    public JobLock lock() {
        return lock;
    }

    @Override
    public boolean isGranted() {
        return true;
    }

    @Override
    public String toString() {
        return "granted to " + lock.holder().node() + ", token " + lock.fencingToken();
    }
}
