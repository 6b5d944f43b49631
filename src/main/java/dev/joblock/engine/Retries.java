package dev.joblock.engine;

import dev.joblock.Denied;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobRun;
import dev.joblock.LateGrant;
import dev.joblock.LockOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The denied runs that are asked for again: at most a thousand, of each lane few, of which a newer one replaces the oldest.
 * Thread-safe.
 */
final class Retries {

    /** What is needed of the service. */
    interface Service {
        LockOutcome ask(JobRun run);

        /**
         * The store's time.
         *
         * @throws dev.joblock.StoreException if the store could not answer
         */
        Instant redisTime(JobRun run);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Retries.class);
    private static final int MOST = 1_000;

    private final Service service;
    private final JobLockPolicies policies;
    private final Events events;
    private final Threads threads;
    private final Time time;
    private final Set<Pending> all = new LinkedHashSet<>();
    private boolean closed;

    Retries(Service service, JobLockPolicies policies, Events events, Threads threads, Time time) {
        this.service = service;
        this.policies = policies;
        this.events = events;
        this.threads = threads;
        this.time = time;
    }

    /** Has a denied run asked for again, if that can help and its policy wants it. */
    boolean add(JobRun run, Denied denied, Consumer<LateGrant> starter) {
        boolean added = false;
        for (Again again : Again.of(run, denied, policies.policyFor(run))) {
            added |= add(new Pending(this, threads, time, again, denied, starter));
        }
        return added;
    }

    private boolean add(Pending pending) {
        Again again = pending.again();
        Pending oldest = null;
        synchronized (this) {
            if (closed) {
                return false;
            }
            int ofLane = 0;
            for (Pending other : all) {
                if (other.again().isSameSlot(again)) {
                    // Of another scheduler in this JVM; one of them is enough.
                    return true;
                }
                if (other.again().isOfLane(again) && other.isWaiting()) {
                    oldest = oldest == null ? other : oldest;
                    ofLane++;
                }
            }
            if (ofLane < again.kind.most) {
                oldest = null;
            }
            if (oldest == null && all.size() >= MOST) {
                LOG.warn("{} is not asked for again, since {} other runs are already", again.run, MOST);
                return false;
            }
            if (oldest != null) {
                all.remove(oldest);
            }
            all.add(pending);
        }
        if (oldest != null) {
            oldest.replacedBy(again.run);
        }
        pending.begin();
        return true;
    }

    synchronized void remove(Pending pending) {
        all.remove(pending);
    }

    LockOutcome ask(JobRun run) {
        return service.ask(run);
    }

    Instant redisTime(JobRun run) {
        return service.redisTime(run);
    }

    Duration lease(JobRun run) {
        return policies.policyFor(run).lease();
    }

    void tell(JobRun run, Denied denied) {
        events.denied(run, denied);
    }

    synchronized int size() {
        return all.size();
    }

    /** Asks for nothing of it any more. */
    void drop() {
        List<Pending> dropped;
        synchronized (this) {
            dropped = new ArrayList<>(all);
            all.clear();
        }
        List<JobRun> outstanding = new ArrayList<>();
        for (Pending pending : dropped) {
            if (pending.drop() && pending.isOutstanding()) {
                outstanding.add(pending.again().run);
            }
        }
        if (!outstanding.isEmpty()) {
            LOG.info("This node ends and asks no more for {}", outstanding);
        }
    }

    /** Asks for nothing any more, and never again. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        drop();
    }
}
