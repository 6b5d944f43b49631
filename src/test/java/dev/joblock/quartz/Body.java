package dev.joblock.quartz;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;

/** Counts runs in the job's own body, with what it can see of where it comes from. */
final class Body implements BodyJob.Body {
    final List<Run> runs = new CopyOnWriteArrayList<>();

    /** One run; the slot is that of the original fire. */
    record Run(String job, Instant slot, String origin, JobExecutionContext context) {
        String trigger() {
            JobDataMap data = context.getTrigger().getJobDataMap();
            String late = data.getString(JobLockQuartzListener.TRIGGER_NAME);
            return late == null ? context.getTrigger().getKey().getName() : late;
        }
    }

    @Override
    public void run(JobExecutionContext context) throws Exception {
        runs.add(of(context));
    }

    static Run of(JobExecutionContext context) {
        JobDataMap data = context.getTrigger().getJobDataMap();
        String scheduled = data.getString(JobLockQuartzListener.SCHEDULED_FIRE_TIME);
        String origin = data.getString(JobLockQuartzListener.ORIGIN);
        return new Run(
                context.getJobDetail().getKey().getName(),
                scheduled == null
                        ? context.getScheduledFireTime().toInstant()
                        : Instant.ofEpochMilli(Long.parseLong(scheduled)),
                origin == null ? "" : origin,
                context);
    }

    List<Instant> slots() {
        return runs.stream().map(Run::slot).toList();
    }

    List<String> origins() {
        return runs.stream().map(Run::origin).toList();
    }
}
