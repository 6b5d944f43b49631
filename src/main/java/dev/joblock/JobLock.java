package dev.joblock;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The handle of one granted lease.
 *
 * <p>States: <em>granted</em> → <em>running</em> ({@link #started()}) → <em>released</em>; from the first two also →
 * <em>lost</em> (the lease ended or was taken) and from the first → <em>un-claimed</em>. <em>Lost</em>,
 * <em>released</em> and <em>un-claimed</em> are final. A handle that was got by
 * {@link JobLockService#tryLock(JobRun)} for a run without {@link JobRun#beforeStart()} is running at once.
 *
 * <p>All methods are thread-safe, may be called more than once and throw nothing but what they document.
 */
public interface JobLock extends AutoCloseable {

    /**
     * The run that the lease was granted to.
     *
     * @return the run
     */
    JobRun run();

    /**
     * The lock's name.
     *
     * @return the name, without the store's prefix
     */
    String lockName();

    /**
     * Who holds the lease.
     *
     * @return the node and the nonce of this acquisition
     */
    Holder holder();

    /**
     * A number that rises with every grant of this lock name. A resource that remembers the highest number it has seen
     * can refuse the late write of a holder that was overtaken.
     *
     * @return {@code max(previous + 1, Redis time in ms)}
     */
    long fencingToken();

    /**
     * When the lease was granted.
     *
     * @return an instant in Redis time
     */
    Instant since();

    /**
     * How long the lease has been held, by this node's monotonic clock.
     *
     * @return the time from the grant until now; once lost, released or un-claimed, until then
     */
    Duration heldFor();

    /**
     * Whether the lease is certainly held: the deadline, counted by this node's monotonic clock from before the last
     * successful request, is not reached. Asks nobody.
     *
     * @return false once lost, released or un-claimed
     */
    boolean isHeld();

    /**
     * Checks {@link #isHeld()} before a step that must not be taken without the lease.
     *
     * @throws LockLostException if the lease is not held
     */
    void ensureHeld();

    /**
     * Checks as {@link #ensureHeld()} does and, if asked to, at the store too, within the ask budget.
     *
     * @param verify whether to ask the store; what it cannot confirm counts as not held
     * @throws LockLostException if the lease is not held, or the store could not confirm it
     */
    void ensureHeld(boolean verify);

    /**
     * For adapters: how the run is interrupted, in place of its thread's {@code interrupt()}. Called at most once, on
     * another thread, and not once the run has ended.
     *
     * @param action the interruption; what it throws is logged
     */
    void interruptBy(Runnable action);

    /**
     * Interrupts the run, once: each thread that has entered it ({@link JobLockService#enter}), or by the action of
     * {@link #interruptBy}. A lease that is lost does the same where the policy has {@code interruptOnLoss}. The flag that
     * this sets on a thread is taken away when the thread leaves the run, so that it never hits the next one; a flag that
     * was set before stays.
     */
    void interrupt();

    /**
     * Renews the lease from now on, though the run has not begun and may still be un-claimed: for a run that waits for a
     * thread. Without effect on a handle that is running or over.
     */
    void keep();

    /**
     * Says that the run has begun: renewal starts, without effect on a handle that is running. On a thread that has entered
     * the run ({@link JobLockService#enter}), {@link RunObserver}s hear that the job's own work begins there.
     */
    void started();

    /** Ends a run that did its work. Frees the lease and keeps the mark. */
    void release();

    /**
     * Ends a run. Frees the lease and keeps the mark; a failed run is not run again.
     *
     * @param failure what the run ended with, or null if it did its work
     */
    void release(@Nullable Throwable failure);

    /**
     * Takes the grant back as if it had not been, so that another node may take the slot. Only for a run of which it is
     * proven that it did not start; without effect on a handle that is running.
     */
    void unclaim();

    /** The same as {@link #release()}. */
    @Override
    void close();
}
