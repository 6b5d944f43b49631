package dev.joblock.cluster.faults;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobListener;

/**
 * A neighbour that is called after the grant and before the job, and may take its time there: the moment between grant and
 * start, made long enough to be hit from outside.
 */
public final class Gate implements JobListener {

    private final Journal journal;

    /**
     * A gate.
     *
     * @param journal says how long to wait, and is told of it
     */
    public Gate(Journal journal) {
        this.journal = journal;
    }

    @Override
    public String getName() {
        return "gate";
    }

    @Override
    public void jobToBeExecuted(JobExecutionContext context) {
        String job = context.getJobDetail().getKey().getName();
        long millis = journal.plan(job).gateMillis();
        if (millis > 0) {
            journal.atGate(job, context.getScheduledFireTime().getTime());
            try {
                TimeUnit.MILLISECONDS.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void jobExecutionVetoed(JobExecutionContext context) {}

    @Override
    public void jobWasExecuted(JobExecutionContext context, @Nullable JobExecutionException exception) {}
}
