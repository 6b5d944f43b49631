package dev.joblock.engine;

import dev.joblock.Denied;
import dev.joblock.Granted;
import dev.joblock.Holder;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LockOutcome;
import dev.joblock.LockRequest;
import dev.joblock.LockStore;
import dev.joblock.StoreAnswer;
import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a store for a lease within one budget, and keeps the lease until it is over.
 *
 * <p>One ask has one nonce: a connection that broke is tried again with it, which is safe since the same nonce gets the
 * same answer. An ask whose outcome stays unknown is denied and settled in the background.
 */
final class Acquisitions implements Lease.Keeper {

    private static final Duration START_LEASE = Duration.ofSeconds(10);

    private final String nodeId;
    private final Duration budget;
    private final Stores stores;
    private final OpenWork open;
    private final Events events;
    private final CurrentRuns current;
    private final Threads threads;
    private final Time time;
    private final Asks asks;
    private final Endings endings;
    private final Disagreements disagreements = new Disagreements();
    private final Overruns overruns = new Overruns();
    private final Map<Lease, Renewal> renewals = new ConcurrentHashMap<>();
    private final Set<Lease> askedTwice = ConcurrentHashMap.newKeySet();
    private volatile BooleanSupplier redisOutlier = () -> false;

    Acquisitions(
            String nodeId,
            Duration budget,
            Stores stores,
            OpenWork open,
            Events events,
            CurrentRuns current,
            Threads threads,
            Time time) {
        this.nodeId = nodeId;
        this.budget = budget;
        this.stores = stores;
        this.open = open;
        this.events = events;
        this.current = current;
        this.threads = threads;
        this.time = time;
        this.asks = new Asks(threads.asks(), time);
        this.endings = new Endings(threads, time, open, budget);
    }

    void setRedisOutlier(BooleanSupplier outlier) {
        redisOutlier = outlier;
    }

    /** Asks for a lease; one that is fixed is never renewed. */
    LockOutcome acquire(String lockName, JobRun run, JobLockPolicy policy, boolean fixed) {
        LockStore store = stores.of(policy);
        if (store == null) {
            return Denied.storeDown(StoreFault.OTHER, "mode '" + policy.mode() + "' has no store");
        }
        long end = time.nanos() + budget.toNanos();
        if (!open.awaitEndings(lockName, budget.toNanos())) {
            return unconfirmed(lockName);
        }
        boolean shorter = run.isBeforeStart() && policy.lease().compareTo(START_LEASE) > 0;
        Duration lease = shorter ? START_LEASE : policy.lease();
        Holder holder = new Holder(nodeId, UUID.randomUUID().toString().replace("-", ""));
        LockRequest request = new LockRequest(lockName, run, holder, lease, !redisOutlier.getAsBoolean());
        // Of the first try, whichever is answered: the grant may date from it.
        Validity validity = new Validity(time, lease);
        AtomicBoolean maybeGranted = new AtomicBoolean();
        StoreAnswer answer;
        try {
            answer = asks.call(
                    "acquire '" + lockName + "'",
                    end - time.nanos(),
                    () -> store.acquire(request),
                    stale -> maybeGranted.compareAndSet(false, stale.isMaybeApplied()));
        } catch (StoreException e) {
            if (maybeGranted.get() || e.isMaybeApplied()) {
                endings.cancel(store, lockName, holder, e);
            }
            return Denied.storeDown(e.fault(), String.valueOf(e.getMessage()));
        }
        disagreements.check(run, answer);
        Denied denied = answer.denial().orElse(null);
        boolean late = denied == null && validity.remaining(time) <= 0;
        if (late || (denied != null && maybeGranted.get())) {
            endings.cancel(store, lockName, holder, null);
        }
        if (late) {
            return Denied.storeDown(StoreFault.TIMEOUT, "the grant came after its own lease had ended");
        }
        if (denied != null) {
            overruns.denied(lockName, run, policy, denied);
            return denied;
        }
        Interruption interruption = new Interruption(this::interrupt);
        Lease granted = new Lease(store, request, answer, validity, fixed, interruption, this, time);
        if (maybeGranted.get()) {
            askedTwice.add(granted);
        }
        return granted(granted, policy, answer);
    }

    /**
     * The time of the store that a policy names.
     *
     * @throws StoreException if the store could not answer
     */
    Instant time(JobLockPolicy policy) {
        LockStore store = stores.of(policy);
        if (store == null) {
            throw new StoreException(StoreFault.OTHER, false, "mode '" + policy.mode() + "' has no store", null);
        }
        return asks.call("time", budget.toNanos(), store::time, stale -> {});
    }

    private Granted granted(Lease lease, JobLockPolicy policy, StoreAnswer answer) {
        boolean interrupt = policy.interruptsOnLoss();
        Renewal renewal = new Renewal(lease, policy, threads, budget, time, why -> lost(lease, why, interrupt));
        open.begin(lease);
        renewals.put(lease, renewal);
        events.granted(lease, answer.abandoned().orElse(null));
        renewal.watch();
        return new Granted(lease);
    }

    private Denied unconfirmed(String lockName) {
        StoreException trouble = open.trouble(lockName);
        String detail = "this node's last release of the lock is not confirmed yet";
        return trouble == null
                ? Denied.storeDown(StoreFault.SLOW, detail)
                : Denied.storeDown(trouble.fault(), detail + ": " + trouble.getMessage());
    }

    /** How many leases are watched. */
    int size() {
        return renewals.size();
    }

    @Override
    public void kept(Lease lease) {
        Renewal renewal = renewals.get(lease);
        if (renewal != null) {
            renewal.start();
        }
    }

    @Override
    public void started(Lease lease) {
        kept(lease);
        tellOverruns(lease);
    }

    /** Told where the grant stays: one that is taken back leaves its lane as it was, and the next one will find the same. */
    private void tellOverruns(Lease lease) {
        if (lease.run().rule() == JobRun.Rule.SLOT) {
            events.overrun(lease, overruns.begun(lease.lockName(), lease.run(), lease.passedOver()));
        }
    }

    @Override
    public void begun(Lease lease) {
        current.begun(lease);
    }

    @Override
    public void distrusted(Lease lease) {
        Renewal renewal = renewals.get(lease);
        if (renewal != null) {
            renewal.verify();
        }
    }

    @Override
    public @Nullable String verified(Lease lease) {
        Renewal renewal = renewals.get(lease);
        return renewal == null ? "it has ended" : renewal.verifyNow();
    }

    @Override
    public void released(Lease lease, Lease.State before, @Nullable Throwable failure) {
        stopRenewal(lease);
        if (before == Lease.State.GRANTED) {
            tellOverruns(lease);
        }
        // Before the store is asked, which takes its time.
        current.ended(lease, before == Lease.State.LOST, failure);
        endings.end(lease, false, ours -> {
            if (!ours && before != Lease.State.LOST) {
                events.lost(lease, "it was taken over, or its record removed, before its run had ended");
            }
            events.ended(lease, failure);
            settle(lease);
        });
    }

    @Override
    public void unclaimed(Lease lease) {
        stopRenewal(lease);
        endings.end(lease, true, ours -> {
            events.unclaimed(lease);
            settle(lease);
        });
    }

    private void lost(Lease lease, String why, boolean interrupt) {
        lease.lose(() -> {
            stopRenewal(lease);
            open.end(lease);
            if (!lease.isFixed()) {
                events.lost(lease, why);
                if (interrupt) {
                    lease.interrupt();
                }
                if (!askedTwice.contains(lease)) {
                    tellOverruns(lease);
                }
            }
            settle(lease);
        });
    }

    /** A lease is lost just when the store hangs, and with it, perhaps, all threads that ask. */
    private void interrupt(Runnable action) {
        try {
            threads.asks().execute(action);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            threads.retries().execute(action);
        }
    }

    /**
     * An ask that was sent twice and granted may have a copy under way still, which would be granted anew once the lease
     * is released: a tombstone denies it.
     */
    private void settle(Lease lease) {
        if (askedTwice.remove(lease)) {
            endings.cancel(lease.store(), lease.lockName(), lease.holder(), null);
        }
    }

    private void stopRenewal(Lease lease) {
        Renewal renewal = renewals.remove(lease);
        if (renewal != null) {
            renewal.stop();
        }
    }
}
