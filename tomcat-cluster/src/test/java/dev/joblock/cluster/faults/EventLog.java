package dev.joblock.cluster.faults;

import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import dev.joblock.Slot;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes down all that a listener of a node hears, to be compared with what the bodies counted. */
public final class EventLog implements JobLockListener {

    private final Journal journal;

    /**
     * A listener.
     *
     * @param journal where to write
     */
    public EventLog(Journal journal) {
        this.journal = journal;
    }

    @Override
    public void onGranted(JobLock lock) {
        write("granted", lock, "");
    }

    @Override
    public void onDenied(JobRun run, Denied denied) {
        journal.event(run.job(), slot(run), "denied", null, denied.toString());
    }

    @Override
    public void onEnded(JobLock lock, @Nullable Throwable failure) {
        write("ended", lock, failure == null ? "" : failure.toString());
    }

    @Override
    public void onLost(JobLock lock, String why) {
        write("lost", lock, why);
    }

    @Override
    public void onUnclaimed(JobLock lock) {
        write("unclaimed", lock, "");
    }

    @Override
    public void onAbandoned(JobLock lock, RecordedRun abandoned) {
        long slot = abandoned.scheduled().map(Instant::toEpochMilli).orElse(0L);
        journal.event(lock.run().job(), slot, "abandoned", abandoned.fencingToken(), abandoned.node());
    }

    private void write(String kind, JobLock lock, String detail) {
        journal.event(lock.run().job(), slot(lock.run()), kind, lock.fencingToken(), detail);
    }

    private static long slot(JobRun run) {
        return run.slot().map(Slot::scheduled).map(Instant::toEpochMilli).orElse(0L);
    }
}
