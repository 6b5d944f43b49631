package dev.joblock.sample;

import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import dev.joblock.Slot;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;

/** Writes what the job bodies can't know: runs that were denied on this node, and runs that never ended. */
public class OutcomeLog implements JobLockListener {

    private final RunLog log;
    private final ObjectProvider<JobLockService> service;

    /**
     * A listener.
     *
     * @param log where to write
     * @param service asked later for this node's name; not now, since the service needs its listeners first
     */
    public OutcomeLog(RunLog log, ObjectProvider<JobLockService> service) {
        this.log = log;
        this.service = service;
    }

    @Override
    public void onDenied(JobRun run, Denied denied) {
        Optional<RecordedRun> other = denied.other();
        log.denied(
                run.job(),
                run.slot().map(Slot::scheduled).orElse(null),
                service.getObject().nodeId(),
                denied.reason().toString(),
                other.map(RecordedRun::node).orElse(null),
                other.map(RecordedRun::since).orElse(null),
                other.map(RecordedRun::fencingToken).orElse(null));
    }

    @Override
    public void onAbandoned(JobLock lock, RecordedRun abandoned) {
        log.abandoned(
                lock.run().job(),
                abandoned.scheduled().orElse(null),
                abandoned.node(),
                abandoned.fencingToken(),
                abandoned.since(),
                lock.holder().node());
    }
}
