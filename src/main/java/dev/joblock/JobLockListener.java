package dev.joblock;

import org.jspecify.annotations.Nullable;

/**
 * Hears what becomes of runs on this node.
 *
 * <p>Called one event at a time, in order, on a thread of the engine's own, up to 20 ms late where events follow one another: a
 * slow listener delays later events and no job. Times are in what it is given ({@link JobLock#since()},
 * {@link JobLock#heldFor()}). What it throws is logged and goes no further. All methods do nothing by default.
 */
public interface JobLockListener {

    /**
     * A run got its lock.
     *
     * @param lock the handle
     */
    default void onGranted(JobLock lock) {}

    /**
     * A run did not get its lock. Heard of a run that is asked for again at the first denial, and at the last one if that
     * has another reason.
     *
     * @param run the run
     * @param denied why; where {@link Denied#isRunWithoutLock()}, it runs all the same, without lock
     */
    default void onDenied(JobRun run, Denied denied) {}

    /**
     * A run has ended and released its lock. A run whose lease was lost before it ended is heard here too, after
     * {@link #onLost}.
     *
     * @param lock the handle
     * @param failure what it ended with, or null if it did its work
     */
    default void onEnded(JobLock lock, @Nullable Throwable failure) {}

    /**
     * A lease was lost while its run had not ended. Called once a handle.
     *
     * @param lock the handle
     * @param why a sentence for people
     */
    default void onLost(JobLock lock, String why) {}

    /**
     * A grant was taken back, since its run did not start.
     *
     * @param lock the handle
     */
    default void onUnclaimed(JobLock lock) {}

    /**
     * A grant took over the dead lease of a run that never ended.
     *
     * @param lock the new handle
     * @param abandoned the run that was cut short
     */
    default void onAbandoned(JobLock lock, RecordedRun abandoned) {}

    /**
     * A slot was overrun: it came while another run of its lock went on, was granted to no node afterwards, and never will be,
     * since a later slot of its lane has begun on this node. Called once a slot in the whole cluster, by the node that was granted
     * the next one; not at all where that node had not fired the slot itself.
     *
     * @param run the run of the slot that was overrun, as this node asked for it
     * @param denied the denial that this node heard first: by whom it was held, since when
     */
    default void onOverrun(JobRun run, Denied denied) {}
}
