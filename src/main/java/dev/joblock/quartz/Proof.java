package dev.joblock.quartz;

import org.quartz.JobExecutionContext;

/**
 * Knows which scheduler errors prove that nothing more will come of a fire: those that report a failed notification. The
 * texts are the same in Quartz 2.3 to 2.5. Others, such as the one for a job's own exception, prove nothing.
 *
 * <p>Stateless and thread-safe.
 */
final class Proof {

    private static final String[] BEGINNINGS = {
        "Unable to notify TriggerListener(s) while firing trigger",
        "Unable to notify JobListener(s) of vetoed execution",
        "Unable to notify JobListener(s) of Job to be executed",
        "Unable to notify JobListener(s) of Job that was executed",
        "Unable to notify TriggerListener(s) of Job that was executed",
    };

    private Proof() {}

    /** Whether a message, heard on the thread of a fire, says that this fire goes no further. */
    static boolean endsFire(String message, JobExecutionContext context) {
        String whose = "trigger= " + context.getTrigger().getKey() + " job= "
                + context.getJobDetail().getKey();
        for (String beginning : BEGINNINGS) {
            if (message.startsWith(beginning) && message.endsWith(whose)) {
                return true;
            }
        }
        return false;
    }
}
