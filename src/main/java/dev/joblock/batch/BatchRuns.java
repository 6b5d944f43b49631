package dev.joblock.batch;

import dev.joblock.JobLock;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The locks of the Batch executions that run on this node. For steps with threads of their own, on which
 * {@code JobLockService.current()} is empty:
 *
 * <pre>{@code
 * <bean id="writer" class="…" scope="step" p:jobLock="#{@joblockBatchRuns.lock(stepExecution.jobExecutionId)}"/>
 * }</pre>
 *
 * <p>For one job repository: where a context has several, ids of executions are not unique. Thread-safe.
 */
public class BatchRuns {

    private final ConcurrentHashMap<Long, JobLock> locks = new ConcurrentHashMap<>();

    /** Knows no run yet. */
    public BatchRuns() {}

    /**
     * The lock under which an execution runs on this node.
     *
     * @param jobExecutionId the id of the job's execution
     * @return its lock, or empty if it does not run here or is not guarded
     */
    public Optional<JobLock> find(long jobExecutionId) {
        return Optional.ofNullable(locks.get(jobExecutionId));
    }

    /**
     * The lock under which an execution runs on this node.
     *
     * @param jobExecutionId the id of the job's execution
     * @return its lock
     * @throws IllegalStateException if it does not run here or is not guarded
     */
    public JobLock lock(long jobExecutionId) {
        return find(jobExecutionId)
                .orElseThrow(() -> new IllegalStateException("The execution " + jobExecutionId
                        + " does not run under a lock on this node; name its job in 'joblock.batch.jobs'"));
    }

    final void add(long jobExecutionId, JobLock lock) {
        locks.put(jobExecutionId, lock);
    }

    final void remove(long jobExecutionId, JobLock lock) {
        locks.remove(jobExecutionId, lock);
    }
}
