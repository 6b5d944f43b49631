package dev.joblock.scheduling;

import dev.joblock.Durations;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobPatterns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The table of all scheduled tasks that is logged at start, and the checks on all of them together. Stateless. */
final class TaskTable {

    private static final Logger LOG = LoggerFactory.getLogger(TaskGuard.class);

    private TaskTable() {}

    /**
     * Logs and checks.
     *
     * @throws IllegalStateException if strict and a pattern matches no task
     */
    static void report(TaskGuard guard, List<Tasks.KnownTask> tasks) {
        if (!tasks.isEmpty() && LOG.isInfoEnabled()) {
            LOG.info(text(guard, tasks));
        }
        Set<String> names = new TreeSet<>();
        for (Tasks.KnownTask task : tasks) {
            if (task.named) {
                names.add(task.name);
            } else if (!guard.isEmpty()) {
                LOG.warn(
                        "A scheduled task of class {} ({}) comes from no bean, so that no pattern can name it: it runs unguarded"
                                + " on every node; put a dev.joblock.scheduling.JobLockRunnable around it if it should not",
                        task.name,
                        task.schedule);
            }
            if (task.guarded != null && task.guarded.rule().equals("exclusive")) {
                LOG.warn(
                        "The task '{}' ({}) has no time that nodes share and no interval, so that its runs only exclude one"
                                + " another; set minInterval in a JobLockPolicy with jobs=\"task:{}\"",
                        task.name,
                        task.schedule,
                        task.name);
            }
        }
        warnOfRetry(guard, tasks);
        guard.patterns().forEach(pattern -> check(guard, pattern, names));
    }

    private static void warnOfRetry(TaskGuard guard, List<Tasks.KnownTask> tasks) {
        Set<String> names = new TreeSet<>();
        for (Tasks.KnownTask task : tasks) {
            GuardedTask guarded = task.guarded;
            if (guarded != null
                    && (!guarded.policy().retry().isZero() || guarded.policy().reruns())) {
                names.add(task.name);
            }
        }
        LateTasks late = guard.late();
        if (guard.isEnabled() && !names.isEmpty() && (late == null || !late.isPossible())) {
            LOG.warn(
                    "'retry' and 'rerun' have no effect on scheduled tasks of Spring where no TaskScheduler bean could run them"
                            + " later; declare one, of several name one 'taskScheduler'. This concerns {}",
                    names);
        }
    }

    private static void check(TaskGuard guard, String pattern, Set<String> names) {
        if (pattern.equals(TaskGuard.PREFIX + "*")) {
            return;
        }
        JobPatterns single = JobPatterns.parse(pattern);
        for (String name : names) {
            if (single.matches(TaskGuard.PREFIX + name)) {
                return;
            }
        }
        String message = "The pattern '" + pattern + "' matches no scheduled task; the tasks are " + names
                + ". Write the bean's name, a dot and the method; * stands for any characters";
        if (guard.isStrict()) {
            throw new IllegalStateException(message);
        }
        LOG.warn(message);
    }

    static String text(TaskGuard guard, List<Tasks.KnownTask> tasks) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"task", "schedule", "lane", "guarded", "rule", "mode", "lease", "next slot"});
        int guarded = 0;
        for (Tasks.KnownTask task : tasks) {
            guarded += task.guarded == null ? 0 : 1;
            rows.add(row(task));
        }
        String state = !guard.isEnabled()
                ? "; SWITCHED OFF, so that all run on every node"
                : guard.isDryRun() ? "; DRY RUN, so that nothing is held back" : "";
        StringBuilder text = new StringBuilder(
                "Joblock guards " + guarded + " of " + tasks.size() + " scheduled tasks of Spring" + state);
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                char[] pad = new char[widths[i] - row[i].length() + 2];
                Arrays.fill(pad, ' ');
                line.append(row[i]).append(pad);
            }
            text.append("\n  ").append(line.toString().replaceAll("\\s+$", ""));
        }
        return text.toString();
    }

    private static String[] row(Tasks.KnownTask task) {
        GuardedTask guarded = task.guarded;
        if (guarded == null) {
            String why = task.named ? "no, nothing names it" : "no, it comes from no bean";
            return new String[] {task.name, task.schedule.toString(), "-", why, "-", "-", "-", "-"};
        }
        JobLockPolicy policy = guarded.policy();
        return new String[] {
            task.name,
            task.schedule.toString(),
            guarded.rule().equals("exclusive") ? "-" : guarded.lane(),
            "by " + task.reason,
            guarded.rule(),
            policy.mode().toString(),
            Durations.format(policy.lease()),
            task.schedule.next()
        };
    }
}
