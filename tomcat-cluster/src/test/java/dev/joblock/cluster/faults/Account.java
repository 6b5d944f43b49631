package dev.joblock.cluster.faults;

import dev.joblock.cluster.Window;
import dev.joblock.cluster.faults.Records.Event;
import dev.joblock.cluster.faults.Records.Run;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the bodies counted in one row, beside what the listeners heard.
 *
 * @param window the slots
 * @param runs all runs since the row began
 * @param events all that the listeners heard since then
 * @param killed nodes that were killed in the row, and when; what their listeners had not yet written died with them
 * @param clocksStepped whether handles may have said no without a loss
 * @param warnings lines of that level and above that all nodes logged
 * @param now when it was counted
 */
record Account(
        Window window,
        List<Run> runs,
        List<Event> events,
        Map<String, List<Long>> killed,
        boolean clocksStepped,
        long warnings,
        long now) {

    private static final double NANOS = 1e9;
    private static final long RELEASE_NANOS = 500_000_000;

    /** Slots of the window that at least one body ran. */
    int slotsRun(String job) {
        return perSlot(job).size();
    }

    /** Runs of the window's slots. */
    int runs(String job) {
        return perSlot(job).values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Slots with more than one run, also those about the window. */
    int doubles(String job) {
        Map<Long, Integer> all = new TreeMap<>();
        of(job).forEach(run -> all.merge(run.slot(), 1, Integer::sum));
        return (int) all.values().stream().filter(count -> count > 1).count();
    }

    /** The same of runs that came to their end, and whose nodes lived to say so. */
    int doublesOfLiveNodes(String job) {
        Map<Long, Integer> all = new TreeMap<>();
        of(job).stream().filter(this::isReleased).forEach(run -> all.merge(run.slot(), 1, Integer::sum));
        return (int) all.values().stream().filter(count -> count > 1).count();
    }

    int missed(String job) {
        return window.slots() - slotsRun(job);
    }

    /** The slots of the window that nobody ran. */
    List<Instant> missedSlots(String job) {
        Set<Long> run = perSlot(job).keySet();
        return window.each(1).keySet().stream()
                .filter(slot -> !run.contains(slot.toEpochMilli()))
                .toList();
    }

    /** Whether an ask for a slot was given no answer in time, or met a run that still went on. */
    boolean isStarved(String job, Instant slot) {
        return events.stream()
                .filter(event -> event.job().equals(job) && event.slot() == slot.toEpochMilli())
                .filter(event -> event.kind().equals("denied"))
                .anyMatch(event -> event.detail().startsWith("store down")
                        || event.detail().startsWith("held"));
    }

    /** How many asks were denied for a reason whose sentence holds this text. */
    long denials(String text) {
        return events.stream()
                .filter(event -> event.kind().equals("denied") && event.detail().contains(text))
                .count();
    }

    /** How often listeners heard that a run was abandoned. */
    long abandoned(Run run) {
        return events.stream()
                .filter(event -> event.kind().equals("abandoned") && Objects.equals(event.token(), run.token()))
                .filter(event -> event.job().equals(run.job()))
                .count();
    }

    /** Pairs of runs whose handles said at one and the same moment that they hold the lease. */
    int overlaps(String job) {
        List<Run> all = of(job);
        int pairs = 0;
        for (int i = 0; i < all.size(); i++) {
            for (int j = i + 1; j < all.size(); j++) {
                Long first = heldUntil(all.get(i));
                Long second = heldUntil(all.get(j));
                if (first != null && second != null && all.get(j).started() < first) {
                    pairs++;
                }
            }
        }
        return pairs;
    }

    /** Writes that the fence refused, since a later run of the job had written. */
    int stale(String job) {
        return count(job, "stale");
    }

    /** Writes that the key of the work's own table refused, since the slot was there. */
    int duplicates(String job) {
        return count(job, "duplicate");
    }

    /** Runs that were told by {@code ensureHeld()} that their lease is lost. */
    int told(String job) {
        return (int) of(job).stream().filter(Run::told).count();
    }

    /** The longest time from one start of the job to its next, on whichever node, in seconds. */
    double longestGap(String job) {
        List<Run> all = of(job);
        long longest = 0;
        for (int i = 1; i < all.size(); i++) {
            longest = Math.max(longest, all.get(i).started() - all.get(i - 1).started());
        }
        return longest / NANOS;
    }

    /** By how much the latest fire of the job that nothing guards came after its time, in seconds. */
    double latestUnguarded() {
        return of(Mode.UNGUARDED).stream().mapToLong(Run::lateMillis).max().orElse(0) / 1e3;
    }

    /** The first run of a job that started after a moment; null if there is none. */
    @Nullable
    Run firstAfter(String job, long moment) {
        return of(job).stream()
                .filter(run -> run.started() > moment)
                .findFirst()
                .orElse(null);
    }

    int sum(ToIntFunction<String> figure) {
        return Mode.ALL.stream().mapToInt(figure).sum();
    }

    /** Where the listeners' account of the window differs from that of the bodies; empty if it does not. */
    List<String> differences() {
        List<String> all = new ArrayList<>();
        for (String job : Mode.ALL) {
            Set<String> counted = new HashSet<>();
            of(job).stream().filter(run -> isCompared(run.node(), run.slot())).forEach(run -> {
                counted.add(run.node() + " slot " + run.slot() + " token " + run.token());
            });
            Set<String> heard = keys(job, "granted");
            heard.removeAll(keys(job, "unclaimed"));
            addAll(all, job + ": run but not heard of as granted: ", minus(counted, heard));
            addAll(all, job + ": heard of as granted but not run: ", minus(heard, counted));
            addAll(all, job + ": run but not heard of as ended: ", minus(counted, keys(job, "ended")));
            if (!clocksStepped) {
                addAll(all, job + ": told but not heard of as lost once: ", minus(toldKeys(job), lostOnce(job)));
            }
        }
        return all;
    }

    private List<Run> of(String job) {
        return runs.stream().filter(run -> run.job().equals(job)).toList();
    }

    private Map<Long, Integer> perSlot(String job) {
        long from = window.begin().toEpochMilli();
        long to = window.end().toEpochMilli();
        Map<Long, Integer> all = new TreeMap<>();
        of(job).stream()
                .filter(run -> run.slot() >= from && run.slot() < to)
                .forEach(run -> all.merge(run.slot(), 1, Integer::sum));
        return all;
    }

    private int count(String job, String written) {
        return (int)
                of(job).stream().filter(run -> run.written().equals(written)).count();
    }

    private @Nullable Long heldUntil(Run run) {
        if (run.ended() != null) {
            return run.held();
        }
        // It was killed in the middle; what its handle said last is not known, and is taken for yes.
        return killed.getOrDefault(run.node(), List.of()).stream()
                .filter(kill -> kill > run.started())
                .findFirst()
                .orElse(now);
    }

    /** A node that is killed right after the end of a body has released nothing: for the others that run was cut short. */
    private boolean isReleased(Run run) {
        Long ended = run.ended();
        return ended != null
                && killed.getOrDefault(run.node(), List.of()).stream()
                        .noneMatch(kill -> kill > run.started() && kill - ended < RELEASE_NANOS);
    }

    private boolean isCompared(String node, long slot) {
        return !killed.containsKey(node)
                && slot >= window.begin().toEpochMilli()
                && slot < window.end().toEpochMilli();
    }

    private Set<String> keys(String job, String kind) {
        Set<String> keys = new HashSet<>();
        events.stream()
                .filter(event -> event.job().equals(job) && event.kind().equals(kind))
                .filter(event -> isCompared(event.node(), event.slot()))
                .forEach(event -> keys.add(event.node() + " slot " + event.slot() + " token " + event.token()));
        return keys;
    }

    private Set<String> toldKeys(String job) {
        Set<String> keys = new HashSet<>();
        of(job).stream()
                .filter(run -> run.told() && isCompared(run.node(), run.slot()))
                .forEach(run -> keys.add(run.node() + " slot " + run.slot() + " token " + run.token()));
        return keys;
    }

    private Set<String> lostOnce(String job) {
        Set<String> once = new HashSet<>();
        Set<String> more = new HashSet<>();
        events.stream()
                .filter(event -> event.job().equals(job) && event.kind().equals("lost"))
                .map(event -> event.node() + " slot " + event.slot() + " token " + event.token())
                .forEach(key -> {
                    if (!once.add(key)) {
                        more.add(key);
                    }
                });
        once.removeAll(more);
        return once;
    }

    private static Set<String> minus(Set<String> some, Set<String> others) {
        Set<String> rest = new HashSet<>(some);
        rest.removeAll(others);
        return rest;
    }

    private static void addAll(List<String> to, String what, Set<String> some) {
        some.stream().sorted().forEach(one -> to.add(what + one));
    }
}
