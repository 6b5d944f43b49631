package dev.joblock.engine;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import dev.joblock.Slot;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is asked for again after a denial, why, and for how long. Immutable; a pure function of run, denial and policy. */
final class Again {

    /** Further than that into the future no slot is held back. */
    static final Duration LONGEST_HOLD_BACK = Duration.ofMinutes(5);

    private static final Duration SPARE = Duration.ofMinutes(1);

    /** For which reason a run is asked for again, and how many of a lane may be pending. */
    enum Kind {
        /** Its slot is not due by Redis time: held back until it is. */
        CLOCK(300),
        /** The reason of its denial passes. */
        RETRY(1),
        /** Another node was granted it, and may un-claim it: asked for once more. */
        UNCLAIMED(1),
        /** Another node runs it, and may die: watched until it is done. */
        RERUN(4),
        /** Another run keeps it from its turn; a node that fires late may be granted it, and die: watched as well. */
        LATE(1);

        final int most;

        Kind(int most) {
            this.most = most;
        }
    }

    final Kind kind;
    final JobRun run;
    final Duration longest;

    private Again(Kind kind, JobRun run, Duration longest) {
        this.kind = kind;
        this.run = run.beforeStart();
        this.longest = longest;
    }

    /** What follows a denial; empty where asking again can't help or the policy does not want it. */
    static List<Again> of(JobRun run, Denied denied, JobLockPolicy policy) {
        List<Again> all = new ArrayList<>();
        if (run.lane().isEmpty() || denied.isRunWithoutLock() || denied.fault().orElse(null) == StoreFault.CLOSED) {
            return all;
        }
        DenialReason reason = denied.reason();
        if (reason == DenialReason.CLOCK_AHEAD) {
            Duration ahead = ahead(denied);
            if (ahead != null && ahead.compareTo(LONGEST_HOLD_BACK) <= 0) {
                all.add(new Again(Kind.CLOCK, run, ahead.plus(SPARE)));
            }
        } else if (run.rule() == JobRun.Rule.OWED) {
            addOwed(all, run, reason, policy);
        } else {
            addRetry(all, run, reason, policy);
            addRerun(all, run, denied, policy);
        }
        return all;
    }

    /** The run of a grant that was lost before its start: its slot is taken, but nobody has begun it. */
    Again afterLoss() {
        return run.rule() == JobRun.Rule.SLOT
                ? new Again(Kind.RERUN, owed(run, run.slot().get().scheduled()).from(run.origin()), longest)
                : this;
    }

    /** Whether another node's run is watched. */
    boolean isWatch() {
        return kind == Kind.RERUN || kind == Kind.LATE;
    }

    boolean isOfLane(Again other) {
        return kind == other.kind && run.lane().equals(other.run.lane());
    }

    boolean isSameSlot(Again other) {
        boolean alike = kind == other.kind || (isWatch() && other.isWatch());
        return alike
                && run.lane().equals(other.run.lane())
                && run.slot().isPresent()
                && run.slot().equals(other.run.slot());
    }

    /** Whether the run that holds the lock, by a denial, is the one that is watched. */
    boolean isHeldByItself(Denied denied) {
        RecordedRun other = denied.other().orElse(null);
        return other != null
                && other.lane().equals(run.lane())
                && other.scheduled().equals(run.slot().map(Slot::scheduled));
    }

    /** Whether a denial says of a slot that is watched that no node has been granted it or one that follows it. */
    boolean isNotGrantedYet(Denied denied) {
        Instant last = denied.other().flatMap(RecordedRun::scheduled).orElse(Instant.MIN);
        return denied.reason() == DenialReason.PASSED
                && last.isBefore(run.slot().get().scheduled());
    }

    /** How far the slot of a denied run lies ahead of Redis time; null if it does not. */
    static @Nullable Duration ahead(Denied denied) {
        Instant now = denied.redisTime().orElse(null);
        Instant due = denied.until().orElse(null);
        return now == null || due == null ? null : Duration.between(now, due);
    }

    private static void addOwed(List<Again> all, JobRun run, DenialReason reason, JobLockPolicy policy) {
        boolean passes = reason == DenialReason.HELD || reason == DenialReason.STORE_DOWN;
        if (passes && policy.reruns()) {
            all.add(new Again(Kind.RERUN, run, watch(policy)));
        } else if (passes && !policy.retry().isZero()) {
            all.add(new Again(Kind.RERUN, run, policy.retry()));
        }
    }

    private static void addRetry(List<Again> all, JobRun run, DenialReason reason, JobLockPolicy policy) {
        Duration retry = policy.retry();
        if (run.rule() == JobRun.Rule.INTERVAL && retry.compareTo(run.interval()) > 0) {
            // By then its own next fire asks.
            retry = run.interval();
        }
        if (retry.isZero()) {
            return;
        }
        if (reason == DenialReason.HELD || reason == DenialReason.STORE_DOWN) {
            all.add(new Again(Kind.RETRY, run.from(JobRun.Origin.RETRY), retry));
        } else if (reason == DenialReason.TAKEN && run.rule() == JobRun.Rule.SLOT) {
            all.add(new Again(Kind.UNCLAIMED, run.from(JobRun.Origin.RETRY), retry));
        }
    }

    private static void addRerun(List<Again> all, JobRun run, Denied denied, JobLockPolicy policy) {
        RecordedRun other = denied.other().orElse(null);
        if (!policy.reruns() || run.rule() != JobRun.Rule.SLOT || other == null) {
            return;
        }
        boolean held = denied.reason() == DenialReason.HELD;
        // After a misfire the slot is known to the store by the scheduled time of the node that got it.
        Instant running = other.scheduled().orElse(null);
        if (running != null
                && (denied.reason() == DenialReason.TAKEN
                        || (held && other.lane().equals(run.lane())))) {
            all.add(new Again(Kind.RERUN, owed(run, running), watch(policy)));
        }
        Instant itself = run.slot().get().scheduled();
        if (held && !itself.equals(running)) {
            all.add(new Again(Kind.LATE, owed(run, itself), watch(policy)));
        }
    }

    private static JobRun owed(JobRun run, Instant scheduled) {
        JobRun owed = JobRun.owed(run.job(), run.lane(), scheduled).withLockName(run.lockName());
        return run.policy().map(owed::withPolicy).orElse(owed);
    }

    /** No run is held for longer. */
    private static Duration watch(JobLockPolicy policy) {
        return policy.maxHold().plus(policy.lease()).plus(SPARE);
    }
}
