package dev.joblock.console;

import dev.joblock.HistoryOutcome;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Which lines of a job's history are shown. */
enum Show {
    ALL(outcome -> true),
    RUNS(HistoryOutcome::isRun),
    TROUBLE(outcome -> outcome.isTrouble() || outcome == HistoryOutcome.STORE_DOWN || outcome == HistoryOutcome.OVERRUN);

    private final Set<HistoryOutcome> outcomes;

    Show(Predicate<HistoryOutcome> chosen) {
        this.outcomes = Arrays.stream(HistoryOutcome.values())
                .filter(chosen)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(HistoryOutcome.class)));
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
        return outcomes;
    }
}
