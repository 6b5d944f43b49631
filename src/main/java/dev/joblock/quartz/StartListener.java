package dev.joblock.quartz;

import java.util.UUID;
import org.quartz.JobExecutionContext;
import org.quartz.listeners.JobListenerSupport;

/**
 * The last job listener to hear that a job begins. Only here a run has started: were it said by the first, a neighbour that
 * throws after it would leave a lock which is renewed though its job never ran.
 */
final class StartListener extends JobListenerSupport {

    private final String name;
    private final JobLockQuartzListener owner;

    StartListener(JobLockQuartzListener owner) {
        this.owner = owner;
        this.name = owner.getName() + "-start-" + UUID.randomUUID();
    }

    boolean isOf(JobLockQuartzListener listener) {
        return owner == listener;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public void jobToBeExecuted(JobExecutionContext context) {
        owner.safely("the start", context, () -> owner.fires().start(context));
    }
}
