package dev.joblock.console;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the templates show: texts that are ready, in the language of who looks, not escaped yet. */
final class Views {

    /** A node. */
    record NodeView(
            String id,
            boolean alive,
            boolean here,
            String version,
            String place,
            String offset,
            boolean offsetLarge,
            String seen,
            String threads,
            List<String> warnings) {}

    /** A job with its lock, as one row of the table and as the head of its page. */
    record JobView(
            String key,
            String name,
            String query,
            boolean guarded,
            String mode,
            String lockName,
            List<String> schedules,
            String next,
            String nextIn,
            boolean held,
            String holder,
            String heldFor,
            String leaseLeft,
            int leasePercent,
            String problem,
            boolean mayRelease,
            int failures,
            String lastError,
            List<Cell> last) {}

    /** A square of the timeline. */
    record Cell(String css, String sign, String title) {}

    /** A slot of the timeline. */
    record Column(String time, String job, String query, String title) {}

    /** A node of the timeline. */
    record Row(String node, boolean alive, List<Cell> cells) {}

    /** Slots across, nodes down; and under each slot how often it ran. */
    record TimelineView(List<Column> columns, List<Row> rows, List<Cell> runs) {}

    /** One line of the history. */
    record EntryView(
            String time,
            String slot,
            String node,
            Cell mark,
            String took,
            String origin,
            String by,
            String detail,
            String error) {}

    /** A bar of the chart. */
    record Bar(double x, double y, double width, double height, String css, String title) {}

    /** How long the runs took. */
    record ChartView(List<Bar> bars, String most, String median, double medianY, String summary) {}

    /** The counts on top. */
    record Totals(
            int alive,
            int silent,
            int jobs,
            int running,
            int failing,
            long slots,
            long once,
            long twice,
            String since) {}

    /** The whole first page. */
    record Overview(
            String asOf,
            String zone,
            String problem,
            Totals totals,
            List<NodeView> nodes,
            List<JobView> jobs,
            TimelineView timeline) {}

    /** The whole page of a job. */
    record JobPage(
            String asOf,
            String zone,
            String problem,
            JobView job,
            TimelineView timeline,
            @Nullable ChartView chart,
            List<EntryView> entries,
            String show,
            String self,
            String newest,
            String older) {}

    private Views() {}
}
