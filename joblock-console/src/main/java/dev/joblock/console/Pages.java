package dev.joblock.console;

import dev.joblock.HistoryEntry;
import dev.joblock.HistoryPage;
import dev.joblock.JobState;
import dev.joblock.NodeInfo;
import dev.joblock.console.Fires.Fire;
import dev.joblock.console.Views.Cell;
import dev.joblock.console.Views.EntryView;
import dev.joblock.console.Views.JobPage;
import dev.joblock.console.Views.JobView;
import dev.joblock.console.Views.NodeView;
import dev.joblock.console.Views.Overview;
import dev.joblock.console.Views.Totals;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;

/** Puts the pages together. */
final class Pages {

    private static final int COLUMNS = 32;
    private static final Duration LARGE_OFFSET = Duration.ofSeconds(1);

    private final Snapshot snapshot;
    private final Words words;
    private final ZoneId zone;
    private final JobViews jobs;

    Pages(Snapshot snapshot, Words words, ZoneId zone) {
        this.snapshot = snapshot;
        this.words = words;
        this.zone = zone;
        this.jobs = new JobViews(snapshot, words);
    }

    Overview overview() {
        List<Fire> fires = Fires.newest(snapshot.entries(), snapshot.states(), Integer.MAX_VALUE);
        List<JobView> all = jobs.all(fires);
        return new Overview(
                words.time(snapshot.now()),
                zone.getId(),
                problem(),
                totals(all, fires),
                snapshot.nodes().stream().map(this::node).toList(),
                all,
                Timelines.draw(newest(fires), snapshot.nodes(), words));
    }

    /** The page of a job: its newest entries for the pictures, and one page of entries for the list. */
    JobPage job(String name, @Nullable JobState state, List<HistoryEntry> newest, HistoryPage page, Show show) {
        List<JobState> states = state == null ? List.of() : List.of(state);
        List<Fire> fires = Fires.newest(newest, states, COLUMNS);
        String self = JobViews.query(name) + "&show=" + show.text();
        return new JobPage(
                words.time(snapshot.now()),
                zone.getId(),
                problem(),
                jobs.one(name, state, fires),
                Timelines.draw(fires, snapshot.nodes(), words),
                Charts.draw(newest, words),
                page.entries().stream().map(this::entry).toList(),
                show.text(),
                self,
                JobViews.query(name),
                page.next()
                        .map(token -> self + "&after=" + UriUtils.encode(token, StandardCharsets.UTF_8))
                        .orElse(""));
    }

    private String problem() {
        String problem = snapshot.problem();
        return problem == null ? "" : problem;
    }

    private static List<Fire> newest(List<Fire> fires) {
        return fires.subList(Math.max(0, fires.size() - COLUMNS), fires.size());
    }

    private Totals totals(List<JobView> all, List<Fire> fires) {
        int alive = (int) snapshot.nodes().stream().filter(NodeInfo::isAlive).count();
        List<Fire> slots = fires.stream().filter(Fire::hasSlot).toList();
        return new Totals(
                alive,
                snapshot.nodes().size() - alive,
                all.size(),
                (int) all.stream().filter(JobView::held).count(),
                (int) all.stream().filter(job -> job.failures() > 0).count(),
                slots.size(),
                slots.stream().filter(fire -> fire.scheduledRuns() == 1).count(),
                slots.stream().filter(fire -> fire.scheduledRuns() > 1).count(),
                slots.isEmpty() ? "" : words.time(slots.get(0).time()));
    }

    private NodeView node(NodeInfo node) {
        boolean large = node.clockOffset()
                .filter(offset -> offset.abs().compareTo(LARGE_OFFSET) > 0)
                .isPresent();
        String place = node.contextPath().isEmpty() ? node.host() : node.host() + " " + node.contextPath();
        return new NodeView(
                node.id(),
                node.isAlive(),
                node.id().equals(snapshot.ownNode()),
                node.version(),
                node.zone().isEmpty() ? place : place + " · " + node.zone(),
                node.clockOffset().map(this::offset).orElse(""),
                large,
                words.relative(node.lastSeen()),
                node.threads() == 0 ? "" : node.busyThreads() + "/" + node.threads(),
                node.warnings());
    }

    private String offset(Duration offset) {
        return (offset.isNegative() ? "−" : "+") + words.duration(offset.abs());
    }

    private EntryView entry(HistoryEntry entry) {
        Mark mark = Mark.of(entry);
        boolean measured = entry.outcome().isRun()
                && entry.started().isPresent()
                && entry.ended().isPresent();
        return new EntryView(
                words.time(entry.at()),
                entry.slot().map(words::time).orElse(""),
                entry.node(),
                new Cell(mark.css(), mark.sign(), words.mark(mark)),
                measured ? words.duration(Charts.took(entry)) : "",
                words.text("origin." + entry.origin()),
                entry.by().orElse(""),
                entry.detail(),
                entry.errorClass().orElse(""));
    }
}
