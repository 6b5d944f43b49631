package dev.joblock.console;

import dev.joblock.DenialReason;
import dev.joblock.HistoryEntry;
import dev.joblock.HistoryOutcome;
import java.util.Arrays;
import java.util.List;

/** How a cell of the timeline looks: a colour, and a sign for those who don't see it. */
enum Mark {
    RUNNING("running", "▶"),
    RAN("ran", "✓"),
    FAILED("failed", "✗"),
    LOST("lost", "L"),
    ABANDONED("abandoned", "A"),
    OVERRUN("overrun", "O"),
    STORE_DOWN("store-down", "D"),
    HELD("held", "h"),
    TAKEN("taken", "t"),
    PASSED("passed", "p"),
    TOO_SOON("too-soon", "s"),
    CLOCK_AHEAD("clock-ahead", "c"),
    UNCLAIMED("un-claimed", "u"),
    RELEASED("released", "R"),
    NONE("none", "");

    private final String css;
    private final String sign;

    Mark(String css, String sign) {
        this.css = css;
        this.sign = sign;
    }

    static Mark of(HistoryEntry entry) {
        return entry.outcome() == HistoryOutcome.DENIED
                ? entry.reason().map(Mark::of).orElse(TAKEN)
                : of(entry.outcome());
    }

    static Mark of(HistoryOutcome outcome) {
        return switch (outcome) {
            case RAN -> RAN;
            case FAILED -> FAILED;
            case LOST -> LOST;
            case ABANDONED -> ABANDONED;
            case OVERRUN -> OVERRUN;
            case UNCLAIMED -> UNCLAIMED;
            case STORE_DOWN -> STORE_DOWN;
            case RELEASED -> RELEASED;
            case DENIED -> TAKEN;
        };
    }

    private static Mark of(DenialReason reason) {
        return switch (reason) {
            case HELD -> HELD;
            case TAKEN -> TAKEN;
            case PASSED -> PASSED;
            case TOO_SOON -> TOO_SOON;
            case CLOCK_AHEAD -> CLOCK_AHEAD;
            case STORE_DOWN -> STORE_DOWN;
        };
    }

    /** All that need an explanation. */
    static List<Mark> legend() {
        return Arrays.stream(values()).filter(mark -> mark != NONE).toList();
    }

    public String css() {
        return css;
    }

    public String sign() {
        return sign;
    }
}
