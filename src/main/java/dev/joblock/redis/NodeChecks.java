package dev.joblock.redis;

import dev.joblock.RegisteredJob;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What can be wrong between nodes. Pure functions. */
final class NodeChecks {

    /** Clocks that differ by more than this are told of, in ms. */
    static final long OFFSET_LIMIT = 500;

    private NodeChecks() {}

    /**
     * Whether it is Redis' clock that is wrong: this node's differs from it by more than the limit, and so do those of all
     * living nodes, by the same amount. A node that knows of no other believes Redis: at a start it may only not know of them
     * yet, and what it was granted ahead of time nobody else would believe, so that slots ran twice.
     *
     * @param own this node's clock less Redis', in ms
     * @param others the same of the other living nodes
     */
    static boolean isRedisOutlier(long own, Collection<Long> others) {
        if (others.isEmpty() || Math.abs(own) <= OFFSET_LIMIT) {
            return false;
        }
        for (long other : others) {
            if (Math.abs(other) <= OFFSET_LIMIT || Math.abs(other - own) > OFFSET_LIMIT) {
                return false;
            }
        }
        return true;
    }

    /** A sentence for each job that two nodes schedule differently. */
    static List<String> differences(List<RegisteredJob> ours, String otherNode, List<RegisteredJob> theirs) {
        Map<String, Set<String>> left = schedules(ours, true);
        Map<String, Set<String>> right = schedules(theirs, true);
        Map<String, Set<String>> leftWithoutZone = schedules(ours, false);
        Map<String, Set<String>> rightWithoutZone = schedules(theirs, false);
        List<String> found = new ArrayList<>();
        left.forEach((job, schedules) -> {
            Set<String> others = right.get(job);
            if (others == null || others.equals(schedules)) {
                return;
            }
            boolean zonesOnly = Objects.equals(leftWithoutZone.get(job), rightWithoutZone.get(job));
            found.add(
                    "'" + job + "' has " + (zonesOnly ? "another zone" : "another schedule") + " on node '" + otherNode
                            + "': here " + schedules + ", there " + others
                            + (zonesOnly
                                    ? "; the nodes fire it at different times, give the trigger its zone"
                                    : "; right while a change is rolled out, otherwise one of them is out of date"));
        });
        return found;
    }

    /** What tells the schedules of one node from those of another. */
    static String schedulesOf(List<RegisteredJob> jobs) {
        return jobs.isEmpty() ? "" : Integer.toHexString(schedules(jobs, true).hashCode());
    }

    private static Map<String, Set<String>> schedules(List<RegisteredJob> jobs, boolean withZone) {
        Map<String, Set<String>> schedules = new TreeMap<>();
        for (RegisteredJob job : jobs) {
            // A single fire is nobody's schedule.
            if (!job.schedule().isEmpty() && !job.schedule().equals("once")) {
                String zone = withZone && !job.zone().isEmpty() ? " " + job.zone() : "";
                schedules.computeIfAbsent(job.job(), name -> new TreeSet<>()).add(job.schedule() + zone);
            }
        }
        return schedules;
    }
}
