package dev.joblock.quartz;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobRun;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Writes down what the service says of the runs of a node. */
final class RecordingOutcomes implements JobLockListener {
    final List<JobLock> granted = new CopyOnWriteArrayList<>();
    final List<Denied> denied = new CopyOnWriteArrayList<>();
    final List<JobRun> held = new CopyOnWriteArrayList<>();
    final List<JobRun> overrun = new CopyOnWriteArrayList<>();
    final List<JobLock> ended = new CopyOnWriteArrayList<>();
    final List<Throwable> failures = new CopyOnWriteArrayList<>();
    final List<JobLock> unclaimed = new CopyOnWriteArrayList<>();
    final List<JobLock> lost = new CopyOnWriteArrayList<>();

    long denied(DenialReason reason) {
        return denied.stream().filter(denial -> denial.reason() == reason).count();
    }

    @Override
    public void onGranted(JobLock lock) {
        granted.add(lock);
    }

    @Override
    public void onDenied(JobRun run, Denied denial) {
        denied.add(denial);
        if (denial.reason() == DenialReason.HELD) {
            held.add(run);
        }
    }

    @Override
    public void onEnded(JobLock lock, @Nullable Throwable failure) {
        if (failure != null) {
            failures.add(failure);
        }
        ended.add(lock);
    }

    @Override
    public void onUnclaimed(JobLock lock) {
        unclaimed.add(lock);
    }

    @Override
    public void onOverrun(JobRun run, Denied denial) {
        overrun.add(run);
    }

    @Override
    public void onLost(JobLock lock, String why) {
        lost.add(lock);
    }
}
