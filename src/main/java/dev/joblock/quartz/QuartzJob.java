package dev.joblock.quartz;

import org.quartz.JobDetail;
import org.quartz.Trigger;

/**
 * A Quartz job under the names that are equal on every node.
 *
 * <p>Immutable and thread-safe.
 */
final class QuartzJob {

    private final String name;
    private final String lockName;
    private final boolean renamed;

    private QuartzJob(String name, String lockName, boolean renamed) {
        this.name = name;
        this.lockName = lockName;
        this.renamed = renamed;
    }

    static QuartzJob of(JobDetail detail) {
        String group = detail.getKey().getGroup();
        boolean generated = GeneratedNames.isGenerated(detail.getKey().getName());
        String name =
                generated ? GeneratedNames.replacement(detail) : detail.getKey().getName();
        return new QuartzJob(Keys.plain(group, name), Keys.exact(group, name), generated);
    }

    /** The name that policies and patterns match. */
    String name() {
        return name;
    }

    /** The name of the lock, which no other job has. */
    String lockName() {
        return lockName;
    }

    /** Whether the job's own name was generated and stands nowhere in ours. */
    boolean isRenamed() {
        return renamed;
    }

    /**
     * The lane of a trigger of this job. A trigger whose name was generated is called by its definition, with a {@code #}
     * that no other trigger's name begins with.
     */
    String lane(Trigger trigger) {
        String name = trigger.getKey().getName();
        if (GeneratedNames.isGenerated(name)) {
            return lane(
                    trigger.getKey().getGroup(), "#" + Definition.of(trigger).hash());
        }
        return namedLane(trigger.getKey().getGroup(), name);
    }

    /** The lane of a trigger that bears its own name. */
    String namedLane(String group, String trigger) {
        boolean reserved = trigger.startsWith("#") || trigger.startsWith("\\");
        return lane(group, reserved ? "\\" + trigger : trigger);
    }

    private String lane(String group, String trigger) {
        return Keys.escape(lockName, '/') + "/" + Keys.exact(group, trigger);
    }

    @Override
    public String toString() {
        return "'" + name + "'";
    }
}
