package dev.joblock.scheduling;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log lines of runs: one INFO a slot on each node, whether it ran there or not and why; at most one WARN a minute and job
 * where the store or a clock is at fault. Thread-safe.
 */
final class FireLog {

    private static final Logger LOG = LoggerFactory.getLogger(TaskGuard.class);

    private final Throttle throttle = new Throttle();

    void denied(JobRun run, Denied denied, boolean dryRun, @Nullable String schedule, boolean again) {
        String what = dryRun
                ? "dry run: would not run on this node"
                : "not run on this node" + (again ? ", is asked for again" : "");
        if (denied.reason() == DenialReason.STORE_DOWN || denied.reason() == DenialReason.CLOCK_AHEAD) {
            long heldBack = throttle.admit(run.job());
            if (heldBack >= 0) {
                LOG.warn("{} {}: {}{}", run, what, denied, more(heldBack));
            } else {
                LOG.debug("{} {}: {}", run, what, denied);
            }
            return;
        }
        String disagreement = denied.isOtherDefinition() && schedule != null
                ? "; nodes disagree about the schedule, which here is " + schedule
                : "";
        LOG.info("{} {}: {}{}", run, what, denied, disagreement);
    }

    void ended(JobLock lock, boolean held, long millis, @Nullable Throwable failure) {
        String how = (failure == null ? "ran in " : "failed after ") + millis + " ms" + origin(lock.run())
                + ", token " + lock.fencingToken()
                + (failure == null ? "" : ": " + failure);
        if (held) {
            LOG.info("{} {}", lock.run(), how);
        } else {
            LOG.warn("{} {}, but its lease was lost before that", lock.run(), how);
        }
    }

    private static String origin(JobRun run) {
        boolean late = run.origin() == JobRun.Origin.RETRY || run.origin() == JobRun.Origin.RERUN;
        return late ? ", " + run.origin() : "";
    }

    void closing(String job) {
        LOG.info("'{}' not run on this node: the application is closing", job);
    }

    void goesOn(JobRun run, Throwable failure) {
        LOG.error("{} failed; its schedule goes on", run, failure);
    }

    void unexpected(String job, String consequence, Throwable error) {
        LOG.error("Joblock failed in '{}'; {}", job, consequence, error);
    }

    private static String more(long heldBack) {
        return heldBack == 0 ? "" : " (" + heldBack + " more since the last such line)";
    }
}
