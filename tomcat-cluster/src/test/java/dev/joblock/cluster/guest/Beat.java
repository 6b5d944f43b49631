package dev.joblock.cluster.guest;

import java.util.Objects;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.SchedulerException;

/** A job that counts its run, no more. */
public class Beat implements Job {

    /** Made by Quartz for each run. */
    public Beat() {}

    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        try {
            SlotFile file = (SlotFile) context.getScheduler().getContext().get("slotFile");
            Objects.requireNonNull(file).ran(context.getScheduledFireTime().toInstant());
        } catch (SchedulerException e) {
            throw new JobExecutionException(e);
        }
    }
}
