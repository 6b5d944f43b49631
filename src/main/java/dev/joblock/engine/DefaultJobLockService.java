package dev.joblock.engine;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Durations;
import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.LateGrant;
import dev.joblock.LockMode;
import dev.joblock.LockOutcome;
import dev.joblock.LockStore;
import dev.joblock.RunObserver;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The job lock service.
 *
 * <p>States: open → closed ({@link #close}); a closed service denies every ask. Thread-safe. Its few threads are daemons,
 * begin with its first use and end with {@link #close}.
 */
public final class DefaultJobLockService implements JobLockService, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DefaultJobLockService.class);
    private static final String BY_NAME_LANE = "seize";
    private static final long CLOSE_MILLIS = 2_000;
    private static final Duration LONGEST_WAIT = Duration.ofDays(3_660);

    private final String nodeId;
    private final JobLockPolicies policies;
    private final Threads threads;
    private final OpenWork open = new OpenWork();
    private final CurrentRuns current = new CurrentRuns();
    private final ByNameLocks byName = new ByNameLocks();
    private final Events events;
    private final Acquisitions acquisitions;
    private final Retries retries;
    private final StoreDown storeDown;
    private volatile boolean closed;

    /**
     * A service.
     *
     * @param nodeId the id of this node; different on each
     * @param askBudget how long one ask may take in all
     * @param stores the store of each mode that a policy names
     * @param policies how jobs are locked
     * @param listeners who hears what becomes of runs
     * @throws IllegalArgumentException if the node id is blank, the budget is not positive, or a mode has no store
     */
    public DefaultJobLockService(
            String nodeId,
            Duration askBudget,
            Map<LockMode, LockStore> stores,
            JobLockPolicies policies,
            List<JobLockListener> listeners) {
        this(nodeId, askBudget, stores, policies, listeners, new SystemTime(), new Workers(nodeId));
    }

    DefaultJobLockService(
            String nodeId,
            Duration askBudget,
            Map<LockMode, LockStore> stores,
            JobLockPolicies policies,
            List<JobLockListener> listeners,
            Time time,
            Threads threads) {
        if (nodeId.trim().isEmpty()) {
            throw new IllegalArgumentException("The node id '" + nodeId + "' is blank; give each node its own name");
        }
        this.nodeId = nodeId;
        this.policies = Objects.requireNonNull(policies);
        this.threads = threads;
        this.events = new Events(listeners, threads.events());
        this.acquisitions = new Acquisitions(
                nodeId,
                Durations.positive("ask budget", askBudget),
                new Stores(stores, policies),
                open,
                events,
                current,
                threads,
                time);
        this.retries = new Retries(new Asker(), policies, events, threads, time);
        this.storeDown = new StoreDown(policies, time);
    }

    /**
     * Tells the service how to learn that it is the clock of Redis that is wrong: then no slot is held back because it lies
     * ahead of Redis time.
     *
     * @param outlier true while Redis is the outlier among the clocks; asked at each ask, so it must answer at once
     */
    public void setRedisOutlier(BooleanSupplier outlier) {
        acquisitions.setRedisOutlier(outlier);
    }

    /**
     * Has observers go along with the runs of this service.
     *
     * @param observers they hear of runs that are entered from now on
     */
    public void observe(List<RunObserver> observers) {
        current.observe(observers);
    }

    @Override
    public LockOutcome tryLock(JobRun run) {
        return told(run, ask(run, false));
    }

    @Override
    public LockOutcome tryLock(JobRun run, Duration wait) {
        long end = System.nanoTime() + nanos(wait);
        LockOutcome outcome = ask(run, false);
        for (long pause = 20;
                !outcome.isGranted() && isWorthWaiting((Denied) outcome);
                pause = Math.min(2 * pause, 250)) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            long delay = Math.min(left, pause + ThreadLocalRandom.current().nextLong(pause));
            if (left <= 0 || closed || !paused(delay)) {
                break;
            }
            outcome = ask(run, false);
        }
        return told(run, outcome);
    }

    @Override
    public LockOutcome run(JobRun run, Runnable task) {
        LockOutcome outcome = tryLock(run);
        if (outcome.isGranted()) {
            JobLock lock = ((Granted) outcome).lock();
            Throwable failure = null;
            current.enter(lock);
            try {
                lock.started();
                task.run();
            } catch (Throwable e) {
                failure = e;
                throw e;
            } finally {
                current.leave(lock);
                lock.release(failure);
            }
        } else if (((Denied) outcome).isRunWithoutLock()) {
            task.run();
        }
        return outcome;
    }

    @Override
    public boolean addJobLock(String jobName) {
        return takeByName(jobName, JobRun.exclusive(jobName));
    }

    @Override
    public boolean seize(String jobName) {
        JobRun run = policies.policyFor(jobName)
                .minInterval()
                .map(interval -> JobRun.interval(jobName, BY_NAME_LANE, interval))
                .orElse(JobRun.exclusive(jobName));
        return takeByName(jobName, run);
    }

    @Override
    public void releaseJobLock(String jobName) {
        Lease lock = byName.remove(jobName);
        if (lock == null) {
            LOG.debug("releaseJobLock('{}'): this service holds no such lock; nothing is freed", jobName);
        } else {
            lock.release();
        }
    }

    @Override
    public Optional<JobLock> current() {
        return current.innermost();
    }

    @Override
    public void enter(JobLock lock) {
        current.enter(lock);
    }

    @Override
    public void leave(JobLock lock) {
        current.leave(lock);
    }

    @Override
    public Denied report(JobRun run, Denied denied) {
        Denied decided = storeDown.decide(run, denied);
        events.denied(run, decided);
        return decided;
    }

    @Override
    public boolean askAgain(JobRun run, Denied denied, Consumer<LateGrant> starter) {
        return retries.add(run, denied, starter);
    }

    @Override
    public String nodeId() {
        return nodeId;
    }

    /** Interrupts all runs that go on here ({@link JobLock#interrupt}), as a shutdown does that does not wait for them. */
    public void interruptRuns() {
        open.held().forEach(JobLock::interrupt);
    }

    /**
     * Waits until no lease of this node is held and every release is confirmed; for one that the store has failed to
     * confirm, two seconds once nothing is held any more. Runs that were denied are asked for no more.
     *
     * @param longest how long to wait at the most; an interrupt ends the wait too, and the thread's flag stays set
     * @return false if something is still open; then a WARN has named it
     */
    public boolean awaitIdle(Duration longest) {
        retries.drop();
        boolean idle = false;
        try {
            idle = open.awaitNothing(nanos(longest), TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!idle) {
            List<Lease> held = open.held();
            if (held.isEmpty()) {
                LOG.warn(
                        "The store has not confirmed the end of the locks {}; their leases end by themselves",
                        open.unconfirmed());
            } else {
                LOG.warn("After {} this node still holds {}", Durations.format(longest), held);
            }
        }
        return idle;
    }

    /**
     * Closes the service: asks are denied, denied runs are asked for no more, renewals end. Leases that are still held are left to their end, since their
     * jobs may still be at work; asks and releases that are under way get two seconds, and so do listeners.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        retries.close();
        List<Lease> held = open.held();
        if (!held.isEmpty()) {
            LOG.warn("This node closes while it holds {}; these leases are left to their end", held);
        }
        try {
            if (!open.awaitCalls(TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS))) {
                LOG.warn("This node closes while the store has not confirmed the end of some leases");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.close(CLOSE_MILLIS);
    }

    /**
     * How many denied runs of this node are asked for again, or watched in case their node dies.
     *
     * @return a number, for people to look at
     */
    public int pendingRuns() {
        return retries.size();
    }

    /** How many leases and lock names something is kept for. */
    int size() {
        return open.size() + byName.size() + acquisitions.size() + retries.size();
    }

    private LockOutcome ask(JobRun run, boolean fixed) {
        JobLockPolicy policy = policies.policyFor(run);
        String lockName = policy.lockName().orElse(run.lockName());
        Lease outer = current.find(lockName);
        JoinedLock joined = outer == null ? null : outer.join();
        if (joined != null) {
            return new Granted(joined);
        }
        open.beginAsk();
        try {
            LockOutcome outcome = closed ? closing() : acquisitions.acquire(lockName, run, policy, fixed);
            if (closed && outcome.isGranted()) {
                // Nobody is left to renew it.
                ((Granted) outcome).lock().unclaim();
                outcome = closing();
            }
            return outcome;
        } finally {
            open.endAsk();
        }
    }

    /** The service as those see it who ask again. */
    private final class Asker implements Retries.Service {
        @Override
        public LockOutcome ask(JobRun run) {
            return DefaultJobLockService.this.ask(run, false);
        }

        @Override
        public Instant redisTime(JobRun run) {
            return acquisitions.time(policies.policyFor(run));
        }
    }

    private static Denied closing() {
        return Denied.storeDown(StoreFault.CLOSED, "this node is closing");
    }

    private LockOutcome told(JobRun run, LockOutcome outcome) {
        if (!outcome.isGranted()) {
            return report(run, (Denied) outcome);
        }
        if (!run.isBeforeStart()) {
            ((Granted) outcome).lock().started();
        }
        return outcome;
    }

    private boolean takeByName(String jobName, JobRun run) {
        String lockName = policies.policyFor(jobName).lockName().orElse(jobName);
        if (current.find(lockName) != null) {
            // No participant of it: such code forgets to release, and would keep the run's lease for ever.
            LOG.debug("'{}' is held by the run that asks for it by name; it ends with that run", lockName);
            return true;
        }
        LockOutcome outcome = ask(run, true);
        if (!outcome.isGranted()) {
            events.denied(run, (Denied) outcome);
            return false;
        }
        JobLock lock = ((Granted) outcome).lock();
        if (lock instanceof Lease) {
            byName.put(jobName, (Lease) lock);
        } else {
            // The run's lease was in doubt a moment ago, and has been confirmed meanwhile.
            lock.release();
        }
        return true;
    }

    private static boolean isWorthWaiting(Denied denied) {
        return denied.reason() != DenialReason.TAKEN && denied.reason() != DenialReason.PASSED;
    }

    private static long nanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT.toNanos() : duration.toNanos();
    }

    private static boolean paused(long millis) {
        try {
            return !new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
