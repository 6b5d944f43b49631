package dev.joblock.engine;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Durations;
import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.LateGrant;
import dev.joblock.LockOutcome;
import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One denied run that is asked for again.
 *
 * <p>States: <em>waiting</em> → <em>asking</em> → <em>waiting</em>, <em>offered</em> to its starter, or <em>over</em>; from
 * <em>offered</em> to <em>over</em>, or back to <em>waiting</em> if nobody takes the grant. Thread-safe.
 */
final class Pending {

    /** Half of the start lease: what is taken later would have too little of it left to begin. */
    private static final Duration TAKE_WITHIN = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Pending.class);
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(2);
    /** A scheduler that could not fire while its job ran fires late, and not later than its usual misfire threshold. */
    private static final long LATE_FIRES = TimeUnit.MINUTES.toNanos(1);

    private static final long UNCLAIM_PAUSE = TimeUnit.SECONDS.toNanos(1);
    /** By so much at the most nodes that wait for one lease end ask one after the other. */
    private static final long JITTER_MS = 150;

    private final Retries owner;
    private final Threads threads;
    private final Time time;
    private final Consumer<LateGrant> starter;
    private final Denied first;
    private final long begun;
    private volatile Again again;
    private volatile Denied last;
    private long pause = FIRST_PAUSE;
    private long lastHeld;
    /** Whether the run that is watched is known to have been granted. */
    private boolean granted;

    private boolean over;
    private Runnable cancelTimer = () -> {};
    private volatile @Nullable Offer offer;

    Pending(Retries owner, Threads threads, Time time, Again again, Denied denied, Consumer<LateGrant> starter) {
        this.owner = owner;
        this.threads = threads;
        this.time = time;
        this.again = again;
        this.first = denied;
        this.last = denied;
        this.starter = starter;
        this.begun = time.nanos();
        this.lastHeld = begun;
        this.granted = again.kind == Again.Kind.RERUN;
    }

    Again again() {
        return again;
    }

    /** Whether it waits, and has no grant on offer. */
    boolean isWaiting() {
        return offer == null;
    }

    /** Whether a run is outstanding, and not only watched. */
    boolean isOutstanding() {
        return again.kind == Again.Kind.CLOCK || again.kind == Again.Kind.RETRY;
    }

    void begin() {
        if (again.kind == Again.Kind.RETRY) {
            LOG.info("{} is asked for again for {}: {}", again.run, Durations.format(again.longest), first);
        } else {
            LOG.debug("{} is asked for again ({}): {}", again.run, again.kind, first);
        }
        switch (again.kind) {
            case CLOCK:
                waitForClock(first);
                break;
            case UNCLAIMED:
                plan(UNCLAIM_PAUSE);
                break;
            case RERUN:
            case LATE:
                if (first.reason() == DenialReason.TAKEN) {
                    plan(0);
                } else {
                    // Asks for the time, for which the caller is not to wait.
                    threads.retries().execute(() -> watch(first));
                }
                break;
            default:
                waitLonger();
        }
    }

    /** Ends it from outside; the grant that is on offer goes back. False if it was over. */
    boolean drop() {
        Offer open;
        synchronized (this) {
            if (over) {
                return false;
            }
            over = true;
            cancelTimer.run();
            open = offer;
        }
        if (open != null && open.settle()) {
            open.lock.unclaim();
        }
        return true;
    }

    /** Says that another one has taken its place. */
    void replacedBy(JobRun newer) {
        if (drop() && isOutstanding()) {
            LOG.info("{} is asked for no more, since {} has followed: {}", again.run, newer, last);
            tellLast();
        }
    }

    private void waitLonger() {
        plan(pause + ThreadLocalRandom.current().nextLong(pause / 4));
        pause = Math.min(2 * pause, LONGEST_PAUSE);
    }

    private void waitForClock(Denied denied) {
        Duration ahead = Again.ahead(denied);
        if (ahead == null) {
            waitLonger();
        } else {
            plan(Math.max(0, ahead.toNanos()));
        }
    }

    /** A run that is watched is dead at the end of its lease; another one that is in its way may end at any time before. */
    private void watch(Denied denied) {
        boolean itself = again.isHeldByItself(denied);
        granted |= itself;
        if (granted && !itself) {
            waitLonger();
        } else {
            waitForEnd(denied);
        }
    }

    /** Waits for the end of a lease; the lease that is renewed meanwhile is asked about again at its next end. */
    private void waitForEnd(Denied denied) {
        Instant until = denied.until().orElse(null);
        Instant now = until == null ? null : redisTime();
        if (until == null || now == null) {
            waitLonger();
            return;
        }
        long left = Math.max(0, Duration.between(now, until).toMillis());
        long jitter = 20 + ThreadLocalRandom.current().nextLong(JITTER_MS);
        pause = FIRST_PAUSE;
        plan(TimeUnit.MILLISECONDS.toNanos(left + jitter));
    }

    private @Nullable Instant redisTime() {
        try {
            return owner.redisTime(again.run);
        } catch (StoreException e) {
            return null;
        }
    }

    private void plan(long delay) {
        long left = again.longest.toNanos() - (time.nanos() - begun);
        if (left <= 0) {
            giveUp();
            return;
        }
        synchronized (this) {
            if (!over) {
                cancelTimer = threads.after(
                        Math.min(delay, left), () -> threads.retries().execute(this::ask));
            }
        }
    }

    private void ask() {
        synchronized (this) {
            if (over) {
                return;
            }
        }
        try {
            LockOutcome outcome = owner.ask(again.run);
            if (outcome.isGranted()) {
                offer(((Granted) outcome).lock());
            } else {
                denied((Denied) outcome);
            }
        } catch (Throwable e) {
            LOG.error("{} is asked for no more, since asking failed; please report this", again.run, e);
            end();
        }
    }

    private void denied(Denied denied) {
        last = denied;
        DenialReason reason = denied.reason();
        if (denied.fault().orElse(null) == StoreFault.CLOSED) {
            end();
        } else if (again.kind == Again.Kind.CLOCK) {
            if (reason == DenialReason.CLOCK_AHEAD) {
                waitForClock(denied);
            } else {
                askOtherwise();
            }
        } else if (again.isWatch()) {
            if (reason == DenialReason.HELD) {
                lastHeld = time.nanos();
                watch(denied);
            } else if (reason == DenialReason.STORE_DOWN || (again.isNotGrantedYet(denied) && lateFiresMayCome())) {
                waitLonger();
            } else {
                LOG.debug("{} is done: {}", again.run, denied);
                end();
            }
        } else if (reason == DenialReason.HELD || reason == DenialReason.STORE_DOWN) {
            if (again.kind == Again.Kind.UNCLAIMED) {
                askOtherwise();
            } else {
                waitLonger();
            }
        } else if (again.kind == Again.Kind.UNCLAIMED) {
            end();
        } else {
            LOG.info("{} is asked for no more: {}", again.run, denied);
            askOtherwise();
        }
    }

    private boolean lateFiresMayCome() {
        return time.nanos() - lastHeld < LATE_FIRES;
    }

    /** This denial is another than that which was waited for, and is looked at as the first one was. */
    private void askOtherwise() {
        if (end()) {
            tellLast();
            owner.add(again.run, last, starter);
        }
    }

    private void giveUp() {
        if (end() && isOutstanding()) {
            LOG.info("{} is asked for no more after {}: {}", again.run, Durations.format(again.longest), last);
            tellLast();
        }
    }

    private void tellLast() {
        if (last.reason() != first.reason()) {
            owner.tell(again.run, last);
        }
    }

    private boolean end() {
        boolean ended;
        synchronized (this) {
            ended = !over;
            over = true;
            cancelTimer.run();
        }
        // Not within the monitor: the owner takes its own first.
        owner.remove(this);
        return ended;
    }

    private void offer(JobLock lock) {
        Duration half = owner.lease(lock.run()).dividedBy(2);
        Offer open = new Offer(lock, half.compareTo(TAKE_WITHIN) < 0 ? half : TAKE_WITHIN);
        boolean late;
        synchronized (this) {
            late = over;
            if (!late) {
                offer = open;
                cancelTimer = threads.after(
                        open.within.toNanos(), () -> threads.retries().execute(open::giveBack));
            }
        }
        if (late) {
            lock.unclaim();
            return;
        }
        try {
            starter.accept(open);
        } catch (Throwable e) {
            LOG.warn("{} could not be started", again.run, e);
            open.refuse("the scheduler failed: " + e);
        }
    }

    private synchronized void withdraw(Offer withdrawn) {
        if (offer == withdrawn) {
            offer = null;
        }
    }

    private final class Offer implements LateGrant {

        private final JobLock lock;
        private final Duration within;
        private final AtomicBoolean settled = new AtomicBoolean();

        Offer(JobLock lock, Duration within) {
            this.lock = lock;
            this.within = within;
        }

        boolean settle() {
            return settled.compareAndSet(false, true);
        }

        @Override
        public JobRun run() {
            return lock.run();
        }

        @Override
        public Optional<JobLock> take() {
            if (!settle()) {
                return Optional.empty();
            }
            if (!lock.isHeld()) {
                goOn();
                return Optional.empty();
            }
            end();
            return Optional.of(lock);
        }

        @Override
        public void refuse(String why) {
            if (settle()) {
                lock.unclaim();
                LOG.info("{} can't be started here and is asked for no more: {}", lock.run(), why);
                end();
            }
        }

        void giveBack() {
            if (settle()) {
                LOG.info(
                        "{} was granted late and not started within {}; the grant goes back, and is asked for again",
                        lock.run(),
                        Durations.format(within));
                goOn();
            }
        }

        private void goOn() {
            lock.unclaim();
            withdraw(this);
            if (((Lease) lock).state() == Lease.State.LOST) {
                again = again.afterLoss();
            }
            waitLonger();
        }

        @Override
        public String toString() {
            return "late grant of " + lock;
        }
    }
}
