package dev.joblock.quartz;

import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** A plain job that is over at once: what a lock alone cannot keep to one run. */
public class ShortJob implements Job {
    @Override
    public void execute(JobExecutionContext context) {}
}
