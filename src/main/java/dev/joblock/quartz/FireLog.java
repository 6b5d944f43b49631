package dev.joblock.quartz;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log lines of fires: one INFO a slot on each node, whether it ran there or not and why; at most one WARN a minute and
 * job where the store or a clock is at fault. Thread-safe.
 */
final class FireLog {

    private static final Logger LOG = LoggerFactory.getLogger(JobLockQuartzListener.class);

    private final Throttle throttle = new Throttle();

    /** Tells of a denial; again, if the run is asked for again. */
    void denied(JobRun run, Denied denied, JobExecutionContext context, boolean dryRun, boolean again) {
        boolean heldBackForClock = again && denied.reason() == DenialReason.CLOCK_AHEAD;
        String what = dryRun
                ? "dry run: would not run on this node"
                : heldBackForClock ? "held back until its time by Redis" : "not run on this node";
        if (denied.reason() == DenialReason.STORE_DOWN || denied.reason() == DenialReason.CLOCK_AHEAD) {
            long heldBack = throttle.admit(run.job());
            if (heldBack >= 0) {
                LOG.warn("{} {}: {}{}", run, what, denied, more(heldBack));
            } else {
                LOG.debug("{} {}: {}", run, what, denied);
            }
            return;
        }
        String disagreement = denied.isOtherDefinition()
                ? "; nodes disagree about the schedule of "
                        + context.getTrigger().getKey() + ", which here is " + Definition.of(context.getTrigger())
                : "";
        LOG.info("{} {}: {}{}", run, what, denied, disagreement);
    }

    void ended(JobLock lock, boolean held, JobExecutionContext context, @Nullable Throwable failure) {
        String how = (failure == null ? "ran in " : "failed after ") + context.getJobRunTime() + " ms"
                + (context.getRefireCount() > 0 ? " and " + context.getRefireCount() + " refires" : "")
                + late(lock.run(), context)
                + ", token " + lock.fencingToken() + (failure == null ? "" : ": " + failure);
        if (held) {
            LOG.info("{} {}", lock.run(), how);
        } else {
            LOG.warn("{} {}, but its lease was lost before that", lock.run(), how);
        }
    }

    /** How late a run of ours comes: by this node's clock, from the original fire time to the start of the job. */
    private static String late(JobRun run, JobExecutionContext context) {
        LateFireData data = LateFireData.find(context.getTrigger().getJobDataMap());
        if (data == null) {
            return "";
        }
        long ms = context.getFireTime().getTime() - data.scheduled().toEpochMilli();
        return ", " + (ms < 0 ? "" : ms + " ms late, ") + run.origin();
    }

    void tooLate(JobExecutionContext context) {
        LOG.info(
                "{} is not fired: its grant went back before a worker was free",
                context.getTrigger().getKey());
    }

    void startsLate(JobRun run) {
        LOG.warn(
                "{} starts though its lease is lost: the node stood still, or other listeners took longer than the start lease",
                run);
    }

    void notInterrupted(JobRun run, Exception why) {
        LOG.warn("{} can't be interrupted and goes on: {}", run, why.getMessage());
    }

    void unclaimed(JobRun run) {
        LOG.info("{} did not start here, since another listener stood in its way; any node may take it now", run);
    }

    void refireRefused(JobRun run, String why) {
        LOG.warn("{} is not fired again: {}", run, why);
    }

    void unasked(String job, JobExecutionContext context) {
        long heldBack = throttle.admit(job);
        if (heldBack >= 0) {
            LOG.error(
                    "'{}' runs unguarded: for trigger '{}' the listener hears of the job but is not asked for a veto; name it in"
                            + " globalTriggerListeners as well, or import classpath:spring/joblock.xml, which attaches it{}",
                    job,
                    context.getTrigger().getKey(),
                    more(heldBack));
        }
    }

    void unexpected(String where, JobExecutionContext context, String consequence, Throwable error) {
        LOG.error(
                "Joblock failed in {} of job '{}', trigger '{}'; {}",
                where,
                context.getJobDetail().getKey(),
                context.getTrigger().getKey(),
                consequence,
                error);
    }

    private static String more(long heldBack) {
        return heldBack == 0 ? "" : " (" + heldBack + " more since the last such line)";
    }
}
