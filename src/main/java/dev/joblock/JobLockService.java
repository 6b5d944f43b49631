package dev.joblock;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Gives locks to job runs, once per slot over all nodes.
 *
 * <p>Thread-safe. No method throws because of the store: a store that cannot answer is a {@link Denied}.
 */
public interface JobLockService {

    /**
     * Asks once, within the ask budget.
     *
     * @param run the run
     * @return a grant, whose handle must be released, or a denial; where {@link Denied#isRunWithoutLock()}, the caller is to
     *     run all the same
     */
    LockOutcome tryLock(JobRun run);

    /**
     * Asks until the lock is granted or the wait is over. A denial that waiting can't change (taken, passed) is returned
     * at once. An interrupt ends the wait with the last denial and leaves the thread's flag set.
     *
     * @param run the run
     * @param wait how long to wait at the most; zero asks once
     * @return a grant, whose handle must be released, or the last denial
     */
    LockOutcome tryLock(JobRun run, Duration wait);

    /**
     * Runs a task under its lock, as the thread's current run, and releases the lock when the task has ended. What the
     * task throws is thrown on, never hidden by a failed release.
     *
     * @param run the run
     * @param task the work
     * @return the grant under which it ran, or the denial because of which it did not; where
     *     {@link Denied#isRunWithoutLock()}, it ran without lock
     */
    LockOutcome run(JobRun run, Runnable task);

    /**
     * Takes a lock by name with a fixed lease and no renewal, as hand-written locks do. The thread may be another one
     * than that which releases it.
     *
     * @param jobName the lock's name
     * @return true if this call took the lock
     */
    boolean addJobLock(String jobName);

    /**
     * Frees the lock that {@link #addJobLock} or {@link #seize} of this service took, and nobody else's.
     *
     * @param jobName the lock's name
     */
    void releaseJobLock(String jobName);

    /**
     * Takes a lock by name as {@link #addJobLock} does, if in addition the minimum interval of the job's policy is over.
     *
     * @param jobName the lock's name
     * @return true if this call took the lock
     */
    boolean seize(String jobName);

    /**
     * The lock under which this thread runs, set by the adapters and by {@link #run}. A request for the same lock name on
     * this thread joins it.
     *
     * @return the innermost handle, or empty
     */
    Optional<JobLock> current();

    /**
     * For adapters: makes a handle this thread's current run, until {@link #leave}.
     *
     * @param lock a handle of this service
     */
    void enter(JobLock lock);

    /**
     * For adapters: ends a handle's being this thread's current run, with all that was entered after it. Without effect
     * if the handle was not entered on this thread.
     *
     * @param lock a handle of this service
     */
    void leave(JobLock lock);

    /**
     * For adapters: tells listeners of a denial that was made without an ask, since too many ask already, say.
     *
     * @param run the run
     * @param denied why it was denied
     * @return the denial as {@link #tryLock(JobRun)} would have returned it: by the job's policy it may run without lock
     */
    Denied report(JobRun run, Denied denied);

    /**
     * For adapters: has a denied run asked for again, if its policy and the reason of the denial are such that it may be
     * granted later. Then, on this node or on another, it is granted to one.
     *
     * @param run the run as it was asked for
     * @param denied the denial
     * @param starter is handed the grant, once, on a thread of the engine, and must not block; it has the run started by
     *     the scheduler. After a grant that was not taken in time it may be handed another one
     * @return whether the run is asked for again
     */
    boolean askAgain(JobRun run, Denied denied, Consumer<LateGrant> starter);

    /**
     * The id of this node.
     *
     * @return for example {@code app1:8081/shop-3f2a}
     */
    String nodeId();
}
