package dev.joblock.cluster.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The table of all rows, in Markdown. */
final class Report {

    private static final int ALL_ROWS = 20;

    private final Form form;
    private final List<String> lines = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    Report(Form form) {
        this.form = form;
    }

    /** Adds a row; figures that differ between the modes stand in the order of {@link Mode#ALL}. */
    String add(String fault, Account account, String... sentences) {
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
        return lines.get(lines.size() - 1);
    }

    /** Writes docs/faults.md where {@code -Djoblock.faults.write=true} asks for it and the whole suite has run. */
    void writeIfAsked(String redis) throws IOException {
        if (Boolean.getBoolean("joblock.faults.write") && lines.size() >= ALL_ROWS) {
            Files.writeString(Path.of(System.getProperty("joblock.faults.file", "../docs/faults.md")), page(redis));
        }
    }

    private String page(String redis) {
        return "TODO " + form + redis + "\n" + table();
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
