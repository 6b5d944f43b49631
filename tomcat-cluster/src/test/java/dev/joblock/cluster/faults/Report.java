package dev.joblock.cluster.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The table of all rows, in Markdown. */
final class Report {

    private final List<String> lines = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** Adds a row; figures that differ between the modes stand in the order of {@link Mode#ALL}. */
    void add(String fault, Account account, String... sentences) {
        List<String> cells = List.of(
                fault,
                String.valueOf(account.window().slots()),
                each(account::runs),
                each(account::doubles),
                each(account::missed),
                each(account::overlaps),
                each(account::stale),
                each(job -> String.format(Locale.ROOT, "%.1f", account.longestGap(job))),
                String.format(Locale.ROOT, "%.1f", account.latestUnguarded()),
                account.differences().isEmpty() ? "equal" : account.differences().size() + " differ",
                String.valueOf(account.warnings()));
        lines.add("| " + String.join(" | ", cells) + " |");
        if (sentences.length > 0) {
            notes.add("- **" + fault + "**: " + String.join(" ", sentences));
        }
    }

    int rows() {
        return lines.size();
    }

    String table() {
        return "| fault | slots | runs | run twice | missed | leases overlapping | stale writes refused"
                + " | longest gap (s) | unguarded job late (s) | listeners | WARN lines |\n"
                + "|---|---|---|---|---|---|---|---|---|---|---|\n"
                + String.join("\n", lines)
                + "\n\n"
                + String.join("\n", notes)
                + "\n";
    }

    private static String each(Function<String, Object> figure) {
        List<String> all =
                Mode.ALL.stream().map(figure).map(String::valueOf).collect(Collectors.toList());
        return all.stream().distinct().count() == 1 ? all.get(0) : String.join(" / ", all);
    }
}
