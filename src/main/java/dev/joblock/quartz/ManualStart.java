package dev.joblock.quartz;

import dev.joblock.JobLockException;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.matchers.GroupMatcher;

/**
 * Fires a job once, now, for a person: by a one-shot trigger of the kind that {@code Scheduler.triggerJob} makes, which carries
 * the person's name. Stateless and thread-safe.
 */
final class ManualStart {

    /** Where the trigger's data names the person. */
    private static final String BY = "joblock.by";

    private ManualStart() {}

    /** False if none of the schedulers has such a job. */
    static boolean start(Collection<Scheduler> schedulers, String job, String by) {
        for (Scheduler scheduler : schedulers) {
            try {
                JobKey key = scheduler.isShutdown() ? null : find(scheduler, job);
                if (key != null) {
                    scheduler.scheduleJob(trigger(key, by));
                    return true;
                }
            } catch (SchedulerException e) {
                JobLockException refused = new JobLockException(String.valueOf(e.getMessage()));
                refused.initCause(e);
                throw refused;
            }
        }
        return false;
    }

    /** Who asked for a manual run; empty if nobody is named. */
    static String by(JobExecutionContext context) {
        Object by = context.getTrigger().getJobDataMap().get(BY);
        return by instanceof String ? ((String) by).trim() : "";
    }

    private static @Nullable JobKey find(Scheduler scheduler, String job) throws SchedulerException {
        for (JobKey key : scheduler.getJobKeys(GroupMatcher.anyJobGroup())) {
            JobDetail detail = scheduler.getJobDetail(key);
            if (detail != null && QuartzJob.of(detail).name().equals(job)) {
                return key;
            }
        }
        return null;
    }

    private static Trigger trigger(JobKey job, String by) {
        String random = Long.toString(UUID.randomUUID().getMostSignificantBits() >>> 1, 36);
        return TriggerBuilder.newTrigger()
                .withIdentity("MT_" + random, Scheduler.DEFAULT_GROUP)
                .forJob(job)
                .usingJobData(BY, by)
                .startNow()
                .build();
    }
}
