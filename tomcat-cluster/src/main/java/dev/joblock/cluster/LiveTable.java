package dev.joblock.cluster;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns the nodes' answers into one line a slot: a cell for each node, and a verdict. A line is written once, when all
 * nodes have answered or the time for that is over. To be used by one thread.
 */
final class LiveTable {

    private static final int NODE_WIDTH = 11;
    private static final int JOB_WIDTH = 26;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    private record Key(Instant slot, SampleJob job) {}

    private final List<String> nodes;
    private final ZoneId zone;
    private final Instant from;
    private final Map<Key, Map<String, Answer>> open =
            new TreeMap<>(Comparator.comparing(Key::slot).thenComparing(Key::job));
    private final Map<Key, Instant> written = new HashMap<>();

    /**
     * A table.
     *
     * @param nodes the nodes, in the order of their columns
     * @param zone in which times are shown
     * @param from slots before this are left out, since not all nodes were up
     */
    LiveTable(List<String> nodes, ZoneId zone, Instant from) {
        this.nodes = List.copyOf(nodes);
        this.zone = zone;
        this.from = from;
    }

    /** What stands above the table, to be read once. */
    static List<String> legend() {
        List<String> lines = new ArrayList<>();
        lines.add("Every node has these jobs and fires them by its own clock; Joblock lets one node run each slot.");
        for (SampleJob job : SampleJob.values()) {
            lines.add("  " + pad(job.jobName(), JOB_WIDTH) + job.description());
        }
        lines.add("A line is one slot (one scheduled run) of one job. A cell says what became of it on that node:");
        lines.add("  RAN        the job ran here (RUNS: it still does)");
        lines.add("  taken      denied: another node has been granted this very slot");
        lines.add("  held       denied: a run of the job is still going on");
        lines.add("  passed     denied: a later slot has been granted before");
        lines.add("  too soon   denied: the minimum interval is not over");
        lines.add("  store down denied: Redis could not answer in time");
        lines.add("  -          the node did not answer");
        return lines;
    }

    /** The titles of the columns. */
    String header() {
        StringBuilder line = new StringBuilder(pad("slot", 10)).append(pad("job", JOB_WIDTH));
        nodes.forEach(node -> line.append(pad(node, NODE_WIDTH)));
        return line.append("verdict").toString();
    }

    /**
     * Takes answers in; the same ones may come again.
     *
     * @param answers the answers
     * @param now what time it is
     * @return the lines that are due now, in the order of their slots
     */
    List<String> add(Collection<Answer> answers, Instant now) {
        for (Answer answer : answers) {
            Key key = new Key(answer.slot(), answer.job());
            if (!answer.slot().isBefore(from) && !written.containsKey(key)) {
                // A run goes before a denial, should a node ever have given both.
                open.computeIfAbsent(key, k -> new HashMap<>())
                        .merge(answer.node(), answer, (old, later) -> old.isRun() && !later.isRun() ? old : later);
            }
        }
        List<String> lines = new ArrayList<>();
        open.entrySet().removeIf(entry -> {
            Key key = entry.getKey();
            boolean due = entry.getValue().keySet().containsAll(nodes)
                    || key.slot().plus(key.job().patience()).isBefore(now);
            if (due) {
                lines.add(line(key, entry.getValue()));
                written.put(key, now);
            }
            return due;
        });
        // Long after an answer could come again, so that the table does not grow for ever.
        written.values().removeIf(when -> when.plusSeconds(300).isBefore(now));
        return lines;
    }

    static String time(Instant instant, ZoneId zone) {
        return TIME.format(instant.atZone(zone));
    }

    private String line(Key key, Map<String, Answer> answers) {
        StringBuilder line = new StringBuilder(pad(time(key.slot(), zone), 10))
                .append(pad(key.job().jobName(), JOB_WIDTH));
        for (String node : nodes) {
            line.append(pad(cell(answers.get(node)), NODE_WIDTH));
        }
        return line.append(verdict(answers.values())).toString();
    }

    private static String cell(@Nullable Answer answer) {
        if (answer == null) {
            return "-";
        }
        return switch (answer.answer()) {
            case "ran" -> "RAN";
            case "running" -> "RUNS";
            default -> answer.answer();
        };
    }

    private static String verdict(Collection<Answer> answers) {
        long runs = answers.stream().filter(Answer::isRun).count();
        if (runs == 1) {
            return "one run";
        }
        if (runs > 1) {
            return runs + " RUNS";
        }
        Set<String> holders = new HashSet<>();
        for (Answer answer : answers) {
            if (answer.holder() != null && answer.answer().equals("held")) {
                holders.add(answer.holder());
            }
        }
        return holders.isEmpty() ? "no run" : "no run: " + String.join(", ", holders) + " still has it";
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(1, width - text.length()));
    }
}
