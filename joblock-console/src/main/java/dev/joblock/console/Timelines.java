package dev.joblock.console;

import dev.joblock.HistoryEntry;
import dev.joblock.NodeInfo;
import dev.joblock.console.Fires.Fire;
import dev.joblock.console.Views.Cell;
import dev.joblock.console.Views.Column;
import dev.joblock.console.Views.Row;
import dev.joblock.console.Views.TimelineView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Draws fires: slots across, nodes down. */
final class Timelines {

    private Timelines() {}

    static TimelineView draw(List<Fire> fires, List<NodeInfo> nodes, Words words) {
        List<Column> columns = new ArrayList<>();
        List<Cell> runs = new ArrayList<>();
        for (Fire fire : fires) {
            Optional<String> by = fire.by();
            String time = words.clock(fire.time());
            String title = fire.job() + " " + words.time(fire.time())
                    + by.map(person -> ", " + words.text("by", person)).orElse("");
            columns.add(new Column(time, fire.job(), JobViews.query(fire.job()), title));
            runs.add(runs(fire, words));
        }
        Map<String, Boolean> rows = new LinkedHashMap<>();
        nodes.forEach(node -> rows.put(node.id(), node.isAlive()));
        for (Fire fire : fires) {
            fire.entries().forEach(entry -> rows.putIfAbsent(entry.node(), false));
            fire.running().ifPresent(node -> rows.putIfAbsent(node, false));
        }
        List<Row> drawn = new ArrayList<>();
        rows.forEach((node, alive) -> drawn.add(new Row(
                node, alive, fires.stream().map(fire -> cell(fire, node, words)).toList())));
        return new TimelineView(columns, drawn, runs);
    }

    private static Cell cell(Fire fire, String node, Words words) {
        Mark mark = fire.mark(node);
        List<HistoryEntry> entries = fire.entries(node);
        String title = entries.isEmpty()
                ? node + ": " + words.mark(mark)
                : entries.stream().map(words::line).collect(Collectors.joining("\n"));
        return new Cell(mark.css(), mark.sign(), title);
    }

    /** Under each slot: how often the schedule ran it. More than once is what the kit is there to prevent. */
    private static Cell runs(Fire fire, Words words) {
        long runs = fire.scheduledRuns();
        if (!fire.hasSlot()) {
            return new Cell("no-slot", "", words.text("runs.none"));
        }
        String css = runs == 0 ? "zero" : runs == 1 ? "once" : "twice";
        return new Cell(css, Long.toString(runs), words.text("runs.title", runs));
    }
}
