package dev.joblock.console;

import java.util.Objects;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.SchedulerException;

/** Does the work of the job whose name it runs under. */
public final class DemoJob implements Job {

    /** Made by Quartz for each run. */
    public DemoJob() {}

    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        try {
            DemoWork work = Objects.requireNonNull(
                    (DemoWork) context.getScheduler().getContext().get("work"));
            work.run(context.getJobDetail().getKey().getName());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SchedulerException e) {
            throw new JobExecutionException(e);
        }
    }
}
