package dev.joblock.batch;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.JobLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log lines of launches: one INFO for each on each node, whether it ran there or not and why. Thread-safe. */
final class BatchLog {

    private static final Logger LOG = LoggerFactory.getLogger(BatchGuard.class);

    void denied(String lockName, Denied denied, boolean dryRun, boolean unlocked) {
        String what = dryRun
                ? "dry run: would not be launched on this node"
                : unlocked ? "launched without its lock, since its policy says so" : "not launched on this node";
        if (denied.reason() == DenialReason.STORE_DOWN) {
            LOG.warn("'{}' {}: {}", lockName, what, denied);
        } else {
            LOG.info("'{}' {}: {}", lockName, what, denied);
        }
    }

    void failed(String job, Throwable error) {
        LOG.error("Joblock failed before the launch of Batch job '{}', which is not launched on this node", job, error);
    }

    void collided(JobLock lock, Throwable collision) {
        LOG.info(
                "'{}' not launched on this node: the job repository refused it, as it does where another launch comes first: {}",
                lock.lockName(),
                collision.getMessage());
    }

    void rejected(JobLock lock, Object execution) {
        LOG.warn(
                "'{}' not launched on this node: the executor has rejected execution {}; the lock is given back",
                lock.lockName(),
                BatchTypes.id(execution));
    }

    void standsInTheWay(JobLock lock, String finding) {
        LOG.warn("'{}' not launched on this node: {}", lock.lockName(), finding);
    }

    void recovered(StaleExecution stale) {
        LOG.warn("'{}': {}; it is marked FAILED", stale.lockName(), stale);
    }

    void notRecovered(long execution, String why) {
        LOG.info("Execution {} is not recovered: {}", execution, why);
    }

    void unclear(JobLock lock, Throwable error) {
        LOG.warn(
                "'{}' not launched on this node; what stands in its way could not be found out: {}",
                lock.lockName(),
                error.toString());
    }

    void startsLate(JobLock lock) {
        LOG.warn(
                "'{}' starts though its lease was lost while it waited for a thread; another node may have begun it",
                lock.lockName());
    }

    void unlocked(JobLock lock) {
        LOG.warn("'{}': its job is executed once more within one launch, without a lock", lock.lockName());
    }

    void ownerNotWritten(JobLock lock, RuntimeException error) {
        LOG.warn(
                "'{}' goes on, but which node runs it could not be written into its execution context: {}",
                lock.lockName(),
                error.toString());
    }

    void ended(JobLock lock, long execution, boolean held, @Nullable Throwable failure) {
        String how = failure == null ? "ran" : "failed";
        String why = failure == null ? "" : ": " + failure;
        if (held) {
            LOG.info("'{}' {} as execution {}, token {}{}", lock.lockName(), how, execution, lock.fencingToken(), why);
        } else {
            LOG.warn(
                    "'{}' {} as execution {}, token {}, but its lease was lost before that{}",
                    lock.lockName(),
                    how,
                    execution,
                    lock.fencingToken(),
                    why);
        }
    }
}
