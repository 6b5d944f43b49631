package dev.joblock.quartz;

import java.util.Objects;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDataMap;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;

/** A job that does what its test says. */
public class BodyJob implements Job {
    /** What a job does. */
    interface Body {
        void run(JobExecutionContext context) throws Exception;
    }

    /** The same job as Spring makes it of {@code concurrent="false"}. */
    @DisallowConcurrentExecution
    public static class Serial extends BodyJob {}

    static JobDetail job(String name, Body body) {
        return job(BodyJob.class, name, body);
    }

    static JobDetail serial(String name, Body body) {
        return job(Serial.class, name, body);
    }

    static JobDetail job(Class<? extends Job> type, String name, Body body) {
        JobDataMap data = new JobDataMap();
        data.put("body", body);
        return JobBuilder.newJob(type).withIdentity(name).usingJobData(data).build();
    }

    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        try {
            Objects.requireNonNull((Body) context.getMergedJobDataMap().get("body"))
                    .run(context);
        } catch (JobExecutionException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
