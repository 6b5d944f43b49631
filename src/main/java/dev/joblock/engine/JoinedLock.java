package dev.joblock.engine;

import dev.joblock.Holder;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A nested request that joined the lease of its thread's current run. The lease ends with its last participant. */
final class JoinedLock implements JobLock {

    private final Lease lease;
    private final AtomicBoolean ended = new AtomicBoolean();

    JoinedLock(Lease lease) {
        this.lease = lease;
    }

    Lease lease() {
        return lease;
    }

    @Override
    public JobRun run() {
        return lease.run();
    }

    @Override
    public String lockName() {
        return lease.lockName();
    }

    @Override
    public Holder holder() {
        return lease.holder();
    }

    @Override
    public long fencingToken() {
        return lease.fencingToken();
    }

    @Override
    public Instant since() {
        return lease.since();
    }

    @Override
    public Duration heldFor() {
        return lease.heldFor();
    }

    @Override
    public boolean isHeld() {
        return !ended.get() && lease.isHeld();
    }

    @Override
    public void ensureHeld() {
        if (ended.get()) {
            throw lease.notHeld("this part of it has ended");
        }
        lease.ensureHeld();
    }

    @Override
    public void ensureHeld(boolean verify) {
        ensureHeld();
        lease.ensureHeld(verify);
    }

    @Override
    public void interruptBy(Runnable action) {
        lease.interruptBy(action);
    }

    @Override
    public void interrupt() {
        lease.interrupt();
    }

    @Override
    public void keep() {
        lease.keep();
    }

    /** That the job's own work begins is said by the run that was joined. */
    @Override
    public void started() {
        lease.start();
    }

    @Override
    public void release() {
        release(null);
    }

    @Override
    public void release(@Nullable Throwable failure) {
        if (ended.compareAndSet(false, true)) {
            lease.leave(failure);
        }
    }

    /** A nested run that did not start ends its part; what it joined has started. */
    @Override
    public void unclaim() {
        release(null);
    }

    @Override
    public void close() {
        release(null);
    }

    @Override
    public String toString() {
        return "joined " + lease;
    }
}
