package dev.joblock.quartz;

import dev.joblock.Durations;
import dev.joblock.JobLockPolicy;
import dev.joblock.StoreDownRule;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.quartz.CronTrigger;
import org.quartz.Trigger;

/** The table of one scheduler's jobs that is logged at start. For one thread. */
final class StartUpTable {

    private final JobLockQuartzListener listener;
    private final List<String[]> rows = new ArrayList<>();
    private int triggers;
    private int guarded;

    StartUpTable(JobLockQuartzListener listener) {
        this.listener = listener;
        rows.add(new String[] {"job", "trigger", "lane", "guarded", "mode", "lease", "if denied or lost", "next slot"});
    }

    void add(Scheduled one) {
        QuartzJob job = one.job();
        Trigger trigger = one.trigger();
        triggers += trigger == null ? 0 : 1;
        String why = listener.guard().reason(job.name()).orElse(null);
        if (why == null) {
            rows.add(new String[] {job.name(), name(trigger), "-", "no, nothing names it", "-", "-", "-", next(trigger)
            });
            return;
        }
        guarded += trigger == null ? 0 : 1;
        JobLockPolicy policy = listener.guard().policies().policyFor(job.name());
        rows.add(new String[] {
            job.name(),
            name(trigger),
            lane(job, trigger),
            "by " + why,
            policy.mode().toString(),
            Durations.format(policy.lease()),
            rules(policy),
            next(trigger)
        });
    }

    String text(String scheduler) {
        String state = !listener.guard().isEnabled()
                ? "; SWITCHED OFF, so that all run on every node"
                : listener.guard().isDryRun() ? "; DRY RUN, so that nothing is vetoed" : "";
        StringBuilder text = new StringBuilder("Joblock guards " + guarded + " of " + triggers
                + " triggers of scheduler '" + scheduler + "' on node " + listener.nodeId() + state);
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

    /** What the policy says besides the usual. */
    private static String rules(JobLockPolicy policy) {
        List<String> rules = new ArrayList<>();
        if (!policy.retry().isZero()) {
            rules.add("retry " + Durations.format(policy.retry()));
        }
        if (policy.reruns()) {
            rules.add("rerun");
        }
        if (policy.whenStoreDown() == StoreDownRule.RUN) {
            rules.add("RUNS WITHOUT LOCK when store down");
        }
        if (policy.interruptsOnLoss()) {
            rules.add("interrupt on loss");
        }
        return rules.isEmpty() ? "-" : String.join(", ", rules);
    }

    private String lane(QuartzJob job, @Nullable Trigger trigger) {
        boolean uses = trigger != null && new Runs(listener.guard().policies()).usesLane(job, trigger);
        return trigger != null && uses ? job.lane(trigger) : "-";
    }

    private static String name(@Nullable Trigger trigger) {
        return trigger == null
                ? "-"
                : Keys.plain(trigger.getKey().getGroup(), trigger.getKey().getName());
    }

    /** The next fire time with the offset of the trigger's zone at that instant. */
    private static String next(@Nullable Trigger trigger) {
        Date next = trigger == null ? null : trigger.getNextFireTime();
        if (trigger == null || next == null) {
            return "-";
        }
        TimeZone zone = trigger instanceof CronTrigger ? ((CronTrigger) trigger).getTimeZone() : TimeZone.getDefault();
        return OffsetDateTime.ofInstant(next.toInstant(), zone.toZoneId()).toString();
    }
}
