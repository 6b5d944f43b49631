package dev.joblock.quartz;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.quartz.JobKey;
import org.quartz.Trigger;
import org.quartz.TriggerKey;

/**
 * Fails where jobs or triggers whose names were generated would share one lock or one lane, so that one of them would never
 * run. Looks at guarded jobs only.
 *
 * <p>Stateless and thread-safe.
 */
final class GeneratedNameCheck {

    private GeneratedNameCheck() {}

    static void check(String scheduler, List<Scheduled> all, Guard guard) {
        Map<String, Scheduled> byLock = new HashMap<>();
        Map<String, TriggerKey> byLane = new HashMap<>();
        Runs runs = new Runs(guard.policies());
        for (Scheduled one : all) {
            QuartzJob job = one.job();
            if (!guard.guards(job.name())) {
                continue;
            }
            Scheduled other = byLock.put(job.lockName(), one);
            if (other != null && !other.key().equals(one.key())) {
                throw sameJob(scheduler, other.key(), one.key(), job);
            }
            Trigger trigger = one.trigger();
            if (trigger != null && runs.usesLane(job, trigger)) {
                TriggerKey twin = byLane.put(job.lane(trigger), trigger.getKey());
                if (twin != null) {
                    throw sameTrigger(scheduler, twin, trigger, job);
                }
            }
        }
    }

    private static IllegalStateException sameJob(String scheduler, JobKey one, JobKey other, QuartzJob job) {
        return new IllegalStateException("Jobs '" + one + "' and '" + other + "' of scheduler '" + scheduler
                + "' have generated names, which differ from node to node, and would both be called " + job
                + " and share one lock; give the job detail beans an id or a name each");
    }

    private static IllegalStateException sameTrigger(String scheduler, TriggerKey one, Trigger other, QuartzJob job) {
        return new IllegalStateException("Triggers '" + one + "' and '" + other.getKey() + "' of job " + job
                + " of scheduler '" + scheduler
                + "' have generated names, which differ from node to node, and one schedule ("
                + Definition.of(other)
                + "), so that they can't be told apart; give the trigger beans an id or a name each");
    }
}
