package dev.joblock.quartz;

import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.LateGrant;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDataMap;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.Trigger.TriggerState;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;

/**
 * Has denied fires that were granted later fired through their scheduler: each by a one-shot trigger in a group of its own,
 * which carries the data of the original one and says in its data which fire it stands for.
 *
 * <p>Keeps a grant until its trigger fires. Thread-safe.
 */
final class LateFires {

    private static final int MOST = 1_000;

    /** The oldest goes first: that of a trigger which somebody removed; its fire would be vetoed. */
    private final Map<TriggerKey, LateGrant> grants =
            Collections.synchronizedMap(new LinkedHashMap<TriggerKey, LateGrant>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<TriggerKey, LateGrant> eldest) {
                    return size() > MOST;
                }
            });

    /** Whether a fire comes from a trigger that was made here, or on this node before it was started anew. */
    static boolean isLate(Trigger trigger) {
        return trigger.getKey().getGroup().equals(JobLockQuartzListener.LATE_GROUP)
                && LateFireData.find(trigger.getJobDataMap()) != null;
    }

    /** The lock of a late fire; empty if the fire comes too late, so that it must not run. */
    Optional<JobLock> take(Trigger trigger) {
        LateGrant grant = grants.remove(trigger.getKey());
        return grant == null ? Optional.empty() : grant.take();
    }

    /** What fires the run of a denied fire once it is granted. */
    Consumer<LateGrant> starter(JobExecutionContext context) {
        return new Starter(context);
    }

    int size() {
        return grants.size();
    }

    /** Fires one denied fire later. The context is not kept: it holds the job. */
    private final class Starter implements Consumer<LateGrant> {

        private final Scheduler scheduler;
        private final JobDetail job;
        private final Trigger original;
        private final Date scheduled;
        private final boolean last;
        private @Nullable TriggerKey previous;

        Starter(JobExecutionContext context) {
            scheduler = context.getScheduler();
            job = context.getJobDetail();
            original = context.getTrigger();
            scheduled = context.getScheduledFireTime();
            last = context.getNextFireTime() == null;
        }

        @Override
        public synchronized void accept(LateGrant grant) {
            Trigger trigger = trigger(grant.run());
            try {
                forgetPrevious();
                String refusal = refusal();
                if (refusal != null) {
                    grant.refuse(refusal);
                    return;
                }
                grants.put(trigger.getKey(), grant);
                previous = trigger.getKey();
                schedule(trigger);
                if (scheduler.getTriggerState(trigger.getKey()) == TriggerState.PAUSED) {
                    forgetPrevious();
                    grant.refuse("job '" + job.getKey() + "' is paused");
                }
            } catch (SchedulerException | RuntimeException e) {
                grants.remove(trigger.getKey());
                grant.refuse("scheduler '" + name() + "' does not fire it: " + e.getMessage());
            }
        }

        private @Nullable String refusal() throws SchedulerException {
            if (scheduler.isShutdown() || scheduler.isInStandbyMode() || !scheduler.isStarted()) {
                return "scheduler '" + name() + "' does not run";
            }
            if (scheduler.getTriggerState(original.getKey()) == TriggerState.PAUSED) {
                return "trigger '" + original.getKey() + "' is paused";
            }
            if (!isLastOfItsJob() && !scheduler.checkExists(job.getKey())) {
                return "job '" + job.getKey() + "' is gone";
            }
            return null;
        }

        /** Quartz removes a job that is not durable with its last trigger, which is no wish of its users. */
        private boolean isLastOfItsJob() {
            return last && !job.isDurable();
        }

        private void schedule(Trigger trigger) throws SchedulerException {
            JobKey key = job.getKey();
            if (isLastOfItsJob() && !scheduler.checkExists(key)) {
                scheduler.scheduleJob(job, trigger);
            } else {
                scheduler.scheduleJob(trigger);
            }
        }

        /** A trigger whose grant went back would fire in vain. */
        private void forgetPrevious() throws SchedulerException {
            TriggerKey key = previous;
            if (key != null && grants.remove(key) != null) {
                scheduler.unscheduleJob(key);
            }
            previous = null;
        }

        private Trigger trigger(JobRun run) {
            JobDataMap data = new JobDataMap(original.getJobDataMap());
            LateFireData.of(run, original, scheduled).writeTo(data);
            return TriggerBuilder.newTrigger()
                    .withIdentity(
                            original.getKey() + " " + run.origin() + " " + UUID.randomUUID(),
                            JobLockQuartzListener.LATE_GROUP)
                    .withDescription("fires " + run + " late (" + run.origin() + ")")
                    .forJob(job.getKey())
                    .usingJobData(data)
                    .withPriority(original.getPriority())
                    .withSchedule(SimpleScheduleBuilder.simpleSchedule().withMisfireHandlingInstructionFireNow())
                    .startNow()
                    .build();
        }

        private String name() {
            try {
                return scheduler.getSchedulerName();
            } catch (SchedulerException e) {
                return String.valueOf(scheduler);
            }
        }
    }
}
