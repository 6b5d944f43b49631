package dev.joblock.engine;

import dev.joblock.Durations;
import dev.joblock.JobLockPolicy;
import dev.joblock.StoreException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one lease alive and notices when it is over. A third of the lease after the last success it is renewed, after a
 * failure sooner, until the deadline; then it is lost. Past its max hold a run is renewed no more.
 */
final class Renewal {

    private static final Logger LOG = LoggerFactory.getLogger(Renewal.class);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    private final Lease lease;
    private final Duration length;
    private final Duration maxHold;
    private final Timer timer;
    private final Executor io;
    private final Time time;
    private final Consumer<String> lost;
    private final long grantedNanos;
    private final AtomicBoolean underWay = new AtomicBoolean();
    private volatile Runnable cancelDeadline = () -> {};
    private volatile Runnable cancelTick = () -> {};
    private volatile String trouble = "";
    private volatile boolean halfTold;

    /** Watches the deadline from now on; renews after {@link #start}. */
    Renewal(Lease lease, JobLockPolicy policy, Timer timer, Executor io, Time time, Consumer<String> lost) {
        this.lease = lease;
        this.length = policy.lease();
        this.maxHold = policy.maxHold();
        this.timer = timer;
        this.io = io;
        this.time = time;
        this.lost = lost;
        this.grantedNanos = time.nanos();
        watchDeadline();
    }

    /** The run has begun: renew from now on. */
    void start() {
        long first = Math.min(lease.validity().remaining(time), length.toNanos()) / 3;
        cancelTick = timer.after(first, this::tick);
    }

    /** Renews at once, to learn whether the lease is still there. */
    void verify() {
        if (lease.state() == Lease.State.RUNNING) {
            renewInBackground();
        }
    }

    void stop() {
        cancelTick.run();
        cancelDeadline.run();
    }

    private void watchDeadline() {
        cancelDeadline = timer.after(lease.validity().remaining(time), this::checkDeadline);
    }

    private void checkDeadline() {
        if (lease.isOver()) {
            return;
        }
        if (lease.validity().remaining(time) > 0) {
            watchDeadline();
        } else {
            lost.accept(trouble.isEmpty() ? "its lease has ended" : "it could not be renewed in time: " + trouble);
        }
    }

    private void tick() {
        if (lease.isOver()) {
            return;
        }
        long held = time.nanos() - grantedNanos;
        if (held >= maxHold.toNanos()) {
            trouble = "max hold of " + Durations.format(maxHold) + " is reached, renewal has stopped";
            LOG.warn("Lock '{}' of {}: {}; is the job hung?", lease.lockName(), lease.run(), trouble);
            return;
        }
        if (!halfTold && held >= maxHold.toNanos() / 2) {
            halfTold = true;
            LOG.warn(
                    "Lock '{}' of {} is held for half of its max hold {}; is the job hung?",
                    lease.lockName(),
                    lease.run(),
                    Durations.format(maxHold));
        }
        renewInBackground();
    }

    private void renewInBackground() {
        if (underWay.compareAndSet(false, true)) {
            io.execute(this::renew);
        }
    }

    private void renew() {
        long next = length.toNanos() / 3;
        try {
            if (lease.isOver()) {
                return;
            }
            Validity asked = new Validity(time, length);
            if (!lease.store().renew(lease.lockName(), lease.holder(), length)) {
                lost.accept("the store knows of no lease of this holder any more: taken over, removed, or expired");
                return;
            }
            lease.confirm(asked);
            trouble = "";
        } catch (StoreException e) {
            if (trouble.isEmpty()) {
                LOG.warn("Lock '{}' could not be renewed and is tried again: {}", lease.lockName(), e.getMessage());
            }
            trouble = e.fault() + ", " + e.getMessage();
            next = Math.min(length.toNanos() / 10, LONGEST_PAUSE);
        } finally {
            underWay.set(false);
        }
        cancelTick.run();
        cancelTick = timer.after(Math.min(next, untilMaxHold()), this::tick);
    }

    private long untilMaxHold() {
        return Math.max(0, maxHold.toNanos() - (time.nanos() - grantedNanos));
    }
}
