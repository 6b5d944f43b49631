package dev.joblock.quartz;

import org.quartz.JobExecutionContext;
import org.quartz.listeners.JobListenerSupport;

/**
 * The last job listener to hear that a job begins. Only here a run has started: were it said by the first, a neighbour that
 * throws after it would leave a lock which is renewed though its job never ran.
 */
final class StartListener extends JobListenerSupport {

    private final JobLockQuartzListener owner;

    StartListener(JobLockQuartzListener owner) {
        this.owner = owner;
    }

    static String nameFor(JobLockQuartzListener owner) {
        return owner.getName() + "-start";
    }

    @Override
    public String getName() {
        return nameFor(owner);
    }

    @Override
    public void jobToBeExecuted(JobExecutionContext context) {
        owner.safely("the start", context, () -> owner.fires().start(context));
    }
}
