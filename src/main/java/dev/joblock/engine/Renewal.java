package dev.joblock.engine;

import dev.joblock.Durations;
import dev.joblock.JobLockPolicy;
import dev.joblock.StoreException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one lease alive and notices when it is over. A third of the lease after the last success it is renewed, after a
 * failure sooner, until the deadline; then it is lost. Past its max hold a run is renewed no more.
 */
final class Renewal {

    private static final Logger LOG = LoggerFactory.getLogger(Renewal.class);
    private static final String GONE =
            "the store knows of no lease of this holder any more: taken over, removed, or expired";
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    private final Lease lease;
    private final Duration length;
    private final Duration maxHold;
    private final Timer timer;
    private final Executor io;
    private final Asks calls;
    private final Asks asks;
    private final long budget;
    private final Time time;
    private final Consumer<String> lost;
    private final long grantedNanos;
    private final AtomicBoolean underWay = new AtomicBoolean();
    private Runnable cancelDeadline = () -> {};
    private Runnable cancelTick = () -> {};
    private volatile String trouble = "";
    private volatile boolean halfTold;
    private volatile boolean spentTold;

    Renewal(Lease lease, JobLockPolicy policy, Threads threads, Duration budget, Time time, Consumer<String> lost) {
        this.lease = lease;
        this.length = policy.lease();
        this.maxHold = policy.maxHold();
        this.timer = threads;
        this.io = threads.io();
        this.calls = new Asks(threads.ioCalls(), time);
        this.asks = new Asks(threads.asks(), time);
        this.budget = budget.toNanos();
        this.time = time;
        this.lost = lost;
        this.grantedNanos = time.nanos();
    }

    /** From now on the deadline is watched; renewal follows with {@link #start}. */
    synchronized void watch() {
        cancelDeadline = timer.after(lease.validity().remaining(time), this::checkDeadline);
        endIfOver();
    }

    /** The run has begun, or will: renew from now on. */
    void start() {
        planTick(Math.min(lease.validity().remaining(time), length.toNanos()) / 3);
    }

    /** Renews at once, to learn whether the lease is still there. */
    void verify() {
        if (lease.state() == Lease.State.RUNNING) {
            renewInBackground();
        }
    }

    /** Asks the store on the caller's time; what is wrong, or null if the lease is held. */
    @Nullable
    String verifyNow() {
        boolean running = lease.state() == Lease.State.RUNNING;
        Duration until = running ? length : lease.validity().length();
        try {
            if (renewed(asks, until)) {
                return null;
            }
        } catch (StoreException e) {
            return "the store could not confirm it: " + e.getMessage();
        }
        lost.accept(GONE);
        return GONE;
    }

    synchronized void stop() {
        cancelTick.run();
        cancelDeadline.run();
    }

    private synchronized void planTick(long delay) {
        cancelTick.run();
        cancelTick = timer.after(Math.min(delay, Math.max(0, maxHold.toNanos() - heldNanos())), this::tick);
        endIfOver();
    }

    /** A task planned after {@link #stop} would stay in the timer for as long as a lease may last. */
    private void endIfOver() {
        if (lease.isOver()) {
            stop();
        }
    }

    private long heldNanos() {
        return time.nanos() - grantedNanos;
    }

    private boolean isSpent() {
        return heldNanos() >= maxHold.toNanos();
    }

    private void checkDeadline() {
        if (lease.isOver()) {
            return;
        }
        if (lease.validity().remaining(time) > 0) {
            watch();
        } else {
            lost.accept(trouble.isEmpty() ? "its lease has ended" : "it could not be renewed in time: " + trouble);
        }
    }

    private void tick() {
        if (lease.isOver()) {
            return;
        }
        if (isSpent()) {
            if (!spentTold) {
                spentTold = true;
                trouble = "max hold of " + Durations.format(maxHold) + " is reached, renewal has stopped";
                LOG.warn("Lock '{}' of {}: {}; is the job hung?", lease.lockName(), lease.run(), trouble);
            }
            return;
        }
        if (!halfTold && heldNanos() >= maxHold.toNanos() / 2) {
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
            boolean handedOver = false;
            try {
                io.execute(this::renew);
                handedOver = true;
            } finally {
                if (!handedOver) {
                    goOn(pauseAfterFailure());
                }
            }
        }
    }

    private void renew() {
        long delay = pauseAfterFailure();
        try {
            if (!lease.isOver()) {
                delay = isSpent() ? 0 : renewed();
            }
        } finally {
            goOn(delay);
        }
    }

    /** Plans the next tick whatever has happened; lets it renew first, since one that found a renewal under way would be the last. */
    private void goOn(long delay) {
        underWay.set(false);
        if (!lease.isOver()) {
            planTick(delay);
        }
    }

    private long pauseAfterFailure() {
        return Math.min(length.toNanos() / 10, LONGEST_PAUSE);
    }

    /** Asks the store once; how long to wait until it is to be asked again. */
    private long renewed() {
        boolean held;
        try {
            held = renewed(calls, length);
        } catch (StoreException e) {
            if (trouble.isEmpty()) {
                LOG.warn("Lock '{}' could not be renewed and is tried again: {}", lease.lockName(), e.getMessage());
            }
            trouble = e.fault() + ", " + e.getMessage();
            return pauseAfterFailure();
        }
        if (held) {
            trouble = "";
        } else {
            lost.accept(GONE);
        }
        return length.toNanos() / 3;
    }

    private boolean renewed(Asks threads, Duration until) {
        Validity asked = new Validity(time, until);
        boolean held = threads.call(
                "renew '" + lease.lockName() + "'",
                budget,
                () -> lease.store().renew(lease.lockName(), lease.holder(), until),
                stale -> {});
        if (held) {
            lease.confirm(asked);
        }
        return held;
    }
}
