package dev.joblock.quartz;

import org.quartz.SchedulerException;
import org.quartz.listeners.SchedulerListenerSupport;

/** Hears of neighbour listeners that threw, after which Quartz calls no listener for that fire any more. */
final class ErrorListener extends SchedulerListenerSupport {

    private final JobLockQuartzListener owner;

    ErrorListener(JobLockQuartzListener owner) {
        this.owner = owner;
    }

    boolean isOf(JobLockQuartzListener listener) {
        return owner == listener;
    }

    @Override
    public void schedulerError(String message, SchedulerException cause) {
        try {
            owner.fires().error(message);
        } catch (Throwable error) {
            JobLockQuartzListener.quietly(() -> getLog().error("Joblock failed in a scheduler error", error));
        }
    }
}
