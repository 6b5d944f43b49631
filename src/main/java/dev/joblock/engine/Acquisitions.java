package dev.joblock.engine;

import dev.joblock.Denied;
import dev.joblock.Granted;
import dev.joblock.Holder;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LockMode;
import dev.joblock.LockOutcome;
import dev.joblock.LockRequest;
import dev.joblock.LockStore;
import dev.joblock.StoreAnswer;
import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks a store for a lease within one budget, and keeps the lease until it is over.
 *
 * <p>One ask has one nonce: a connection that broke is tried again with it, which is safe since the same nonce gets the
 * same answer. An ask whose outcome stays unknown is denied and settled in the background.
 */
final class Acquisitions implements Lease.Keeper {

    private static final Duration START_LEASE = Duration.ofSeconds(10);
    private static final int MOST_TRIES = 10;

    private final String nodeId;
    private final Duration budget;
    private final Map<LockMode, LockStore> stores;
    private final OpenWork open;
    private final Events events;
    private final Workers workers;
    private final Time time;
    private final Asks asks;
    private final Endings endings;
    private final Disagreements disagreements = new Disagreements();
    private final Map<Lease, Renewal> renewals = new ConcurrentHashMap<>();

    Acquisitions(
            String nodeId,
            Duration budget,
            Map<LockMode, LockStore> stores,
            OpenWork open,
            Events events,
            Workers workers,
            Time time) {
        this.nodeId = nodeId;
        this.budget = budget;
        this.stores = stores;
        this.open = open;
        this.events = events;
        this.workers = workers;
        this.time = time;
        this.asks = new Asks(workers.asks());
        this.endings = new Endings(asks, workers.io(), workers, time, open, budget);
    }

    LockOutcome acquire(String lockName, JobRun run, JobLockPolicy policy) {
        LockStore store = stores.get(policy.mode());
        if (store == null) {
            return Denied.storeDown(StoreFault.OTHER, "mode '" + policy.mode() + "' has no store");
        }
        long end = time.nanos() + budget.toNanos();
        if (!open.awaitEndings(lockName, budget.toNanos())) {
            return Denied.storeDown(StoreFault.SLOW, "this node's last release of the lock is not confirmed yet");
        }
        boolean shorter = run.isBeforeStart() && policy.lease().compareTo(START_LEASE) > 0;
        Duration lease = shorter ? START_LEASE : policy.lease();
        Holder holder = new Holder(nodeId, UUID.randomUUID().toString().replace("-", ""));
        LockRequest request = new LockRequest(lockName, run, holder, lease, true);
        for (int tries = 1; ; tries++) {
            Validity validity = new Validity(time, lease);
            try {
                StoreAnswer answer =
                        asks.call("acquire '" + lockName + "'", end - time.nanos(), () -> store.acquire(request));
                return outcome(store, request, policy, answer, validity);
            } catch (StoreException e) {
                boolean again = e.fault() == StoreFault.DISCONNECTED && tries < MOST_TRIES && end - time.nanos() > 0;
                if (!again) {
                    if (e.isMaybeApplied() || tries > 1) {
                        endings.cancel(store, lockName, holder);
                    }
                    return Denied.storeDown(e.fault(), String.valueOf(e.getMessage()));
                }
            }
        }
    }

    private LockOutcome outcome(
            LockStore store, LockRequest request, JobLockPolicy policy, StoreAnswer answer, Validity validity) {
        disagreements.check(request.run(), answer);
        Denied denied = answer.denial().orElse(null);
        if (denied != null) {
            return denied;
        }
        if (validity.remaining(time) <= 0) {
            endings.cancel(store, request.lockName(), request.holder());
            return Denied.storeDown(StoreFault.TIMEOUT, "the grant came after its own lease had ended");
        }
        Lease lease = new Lease(
                store,
                request.lockName(),
                request.run(),
                request.holder(),
                answer.fencingToken(),
                answer.since(),
                validity,
                this,
                time);
        open.begin(lease);
        renewals.put(lease, new Renewal(lease, policy, workers, workers.io(), time, why -> lost(lease, why)));
        events.granted(lease, answer.abandoned().orElse(null));
        return new Granted(lease);
    }

    @Override
    public void started(Lease lease) {
        Renewal renewal = renewals.get(lease);
        if (renewal != null) {
            renewal.start();
        }
    }

    @Override
    public void distrusted(Lease lease) {
        Renewal renewal = renewals.get(lease);
        if (renewal != null) {
            renewal.verify();
        }
    }

    @Override
    public void released(Lease lease, Lease.State before, @Nullable Throwable failure) {
        end(lease, false, ours -> {
            if (!ours && before != Lease.State.LOST) {
                events.lost(lease, "it was taken over, or its record removed, before its run had ended");
            }
            events.ended(lease, failure);
        });
    }

    @Override
    public void unclaimed(Lease lease) {
        end(lease, true, ours -> events.unclaimed(lease));
    }

    /** A lock taken by name is left to its end by code that forgets to release: that is no loss. */
    private void lost(Lease lease, String why) {
        boolean byName = lease.state() == Lease.State.GRANTED && !lease.run().isBeforeStart();
        if (lease.lose()) {
            stopRenewal(lease);
            open.end(lease);
            if (!byName) {
                events.lost(lease, why);
            }
        }
    }

    /** The lease stays open work until its ending is under way: in between, a node that closes would think itself idle. */
    private void end(Lease lease, boolean unclaim, Consumer<Boolean> answer) {
        stopRenewal(lease);
        try {
            endings.end(lease, unclaim, answer);
        } finally {
            open.end(lease);
        }
    }

    private void stopRenewal(Lease lease) {
        Renewal renewal = renewals.remove(lease);
        if (renewal != null) {
            renewal.stop();
        }
    }
}
