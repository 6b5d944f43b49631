package dev.joblock;

import java.util.Optional;

/**
 * The grant of a run that was denied at its time and asked for again. Whoever starts the run takes the lock out of it, at the
 * last moment before the run begins; a grant that nobody takes within five seconds, or half of a lease that is shorter than ten,
 * goes back to the store.
 *
 * <p>States: <em>offered</em> → <em>taken</em>, <em>refused</em> or <em>given back</em>, each of them final. Thread-safe.
 */
public interface LateGrant {

    /**
     * The run that was granted, with its original slot and the origin.
     *
     * @return the run
     */
    JobRun run();

    /**
     * Takes the lock. From then on the caller must start and release it, or un-claim it.
     *
     * @return the lock, held and before its start; or empty if it was taken before or has gone back: then the run must not
     *     begin
     */
    Optional<JobLock> take();

    /**
     * Gives the grant back, since the run can't be started on this node, which then asks no more. Without effect on a grant
     * that was taken or has gone back.
     *
     * @param why a sentence for the log
     */
    void refuse(String why);
}
