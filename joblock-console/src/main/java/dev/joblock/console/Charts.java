package dev.joblock.console;

import dev.joblock.HistoryEntry;
import dev.joblock.console.Views.Bar;
import dev.joblock.console.Views.ChartView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws how long the runs of a job took: a bar each, the newest on the right. */
final class Charts {

    private static final int MOST = 60;
    private static final int FEWEST = 24;

    private static final double WIDTH = 600;
    private static final double HEIGHT = 100;
    private static final double LEAST = 2;
    private static final double GAP = 0.2;

    private Charts() {}

    /** Null if no run has begun and ended. */
    static @Nullable ChartView draw(List<HistoryEntry> newestFirst, Words words) {
        List<HistoryEntry> runs = new ArrayList<>();
        for (HistoryEntry entry : newestFirst) {
            if (entry.outcome().isRun()
                    && entry.started().isPresent()
                    && entry.ended().isPresent()
                    && runs.size() < MOST) {
                runs.add(0, entry);
            }
        }
        if (runs.isEmpty()) {
            return null;
        }
        long[] sorted =
                runs.stream().mapToLong(run -> took(run).toMillis()).sorted().toArray();
        long most = Math.max(1, sorted[sorted.length - 1]);
        long median = sorted[sorted.length / 2];
        double step = WIDTH / Math.max(FEWEST, runs.size());
        double left = WIDTH - step * runs.size();
        List<Bar> bars = new ArrayList<>();
        for (HistoryEntry run : runs) {
            double height = Math.max(LEAST, HEIGHT * took(run).toMillis() / most);
            bars.add(new Bar(
                    left + step * bars.size() + step * GAP / 2,
                    HEIGHT - height,
                    step * (1 - GAP),
                    height,
                    Mark.of(run).css(),
                    words.line(run)));
        }
        String longest = words.duration(Duration.ofMillis(sorted[sorted.length - 1]));
        String middle = words.duration(Duration.ofMillis(median));
        return new ChartView(
                bars,
                longest,
                middle,
                HEIGHT - HEIGHT * median / most,
                words.text("chart.summary", runs.size(), longest, middle));
    }

    static Duration took(HistoryEntry run) {
        Duration took =
                Duration.between(run.started().orElse(run.at()), run.ended().orElse(run.at()));
        return took.isNegative() ? Duration.ZERO : took;
    }
}
