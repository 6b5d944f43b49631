package dev.joblock.quartz;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobKey;
import org.quartz.JobListener;
import org.quartz.ListenerManager;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerKey;
import org.quartz.TriggerListener;
import org.quartz.impl.matchers.KeyMatcher;

/** Another party's listener that misbehaves in one callback, for one job. */
final class Neighbour implements TriggerListener, JobListener {
    /** What it does, and where. */
    enum Mischief {
        VETO,
        THROW_IN_TRIGGER_FIRED,
        THROW_IN_VETO,
        THROW_IN_TO_BE_EXECUTED,
        ERROR_IN_VETO,
        ERROR_IN_TO_BE_EXECUTED,
        THROW_IN_VETOED,
        THROW_IN_WAS_EXECUTED,
        ERROR_IN_WAS_EXECUTED
    }

    private final String name = "neighbour-" + UUID.randomUUID();
    private final Mischief mischief;

    Neighbour(Mischief mischief) {
        this.mischief = mischief;
    }

    /** Adds it after all listeners that are there. */
    void addTo(Scheduler scheduler, String job) throws SchedulerException {
        ListenerManager manager = scheduler.getListenerManager();
        manager.addTriggerListener(this, KeyMatcher.keyEquals(TriggerKey.triggerKey("of " + job)));
        manager.addJobListener(this, KeyMatcher.keyEquals(JobKey.jobKey(job)));
    }

    private void exception(Mischief where) {
        if (mischief == where) {
            throw new IllegalStateException("neighbour: " + where);
        }
    }

    private void error(Mischief where) {
        if (mischief == where) {
            throw new AssertionError("neighbour: " + where);
        }
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public void triggerFired(Trigger trigger, JobExecutionContext context) {
        exception(Mischief.THROW_IN_TRIGGER_FIRED);
    }

    @Override
    public boolean vetoJobExecution(Trigger trigger, JobExecutionContext context) {
        exception(Mischief.THROW_IN_VETO);
        error(Mischief.ERROR_IN_VETO);
        return mischief == Mischief.VETO || mischief == Mischief.THROW_IN_VETOED;
    }

    @Override
    public void triggerMisfired(Trigger trigger) {}

    @Override
    public void triggerComplete(
            Trigger trigger, JobExecutionContext context, Trigger.CompletedExecutionInstruction instruction) {}

    @Override
    public void jobToBeExecuted(JobExecutionContext context) {
        exception(Mischief.THROW_IN_TO_BE_EXECUTED);
        error(Mischief.ERROR_IN_TO_BE_EXECUTED);
    }

    @Override
    public void jobExecutionVetoed(JobExecutionContext context) {
        exception(Mischief.THROW_IN_VETOED);
    }

    @Override
    public void jobWasExecuted(JobExecutionContext context, @Nullable JobExecutionException exception) {
        exception(Mischief.THROW_IN_WAS_EXECUTED);
        error(Mischief.ERROR_IN_WAS_EXECUTED);
    }
}
