package dev.joblock.console;

import dev.joblock.HistoryOutcome;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Which lines of a job's history are shown: all, those of runs with their trouble, or the trouble alone. */
enum Show {
    ALL(true, true),
    RUNS(false, true),
    TROUBLE(false, false);

    private final boolean denials;
    private final boolean successes;

    Show(boolean denials, boolean successes) {
        this.denials = denials;
        this.successes = successes;
    }

    /** What an address says; all where it says something else. */
    static Show of(String text) {
        return Arrays.stream(values())
                .filter(it -> it.text().equals(text))
                .findFirst()
                .orElse(ALL);
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    Set<HistoryOutcome> outcomes() {
        return Arrays.stream(HistoryOutcome.values())
                .filter(this::contains)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(HistoryOutcome.class)));
    }

    private boolean contains(HistoryOutcome outcome) {
        return switch (outcome) {
            case FAILED, LOST, ABANDONED, OVERRUN, STORE_DOWN -> true;
            case RAN, RELEASED -> successes;
            case DENIED, UNCLAIMED -> denials;
        };
    }
}
