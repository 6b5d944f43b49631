package dev.joblock.cluster.faults;

import java.time.Duration;

/**
 * How long the rows are.
 *
 * @param name for the report
 * @param period from one slot to the next
 * @param slots how many in a row, at least
 * @param steadySlots how many in a row where nothing but the clocks is at fault
 */
record Form(String name, Duration period, int slots, int steadySlots) {

    /** The form that {@code joblock.faults} asks for: {@code short} (default), {@code report} or {@code long}. */
    static Form chosen() {
        String name = System.getProperty("joblock.faults", "short");
        switch (name) {
            case "short":
                return new Form(name, Duration.ofSeconds(1), 10, 10);
            case "report":
                return new Form(name, Duration.ofSeconds(1), 10, 60);
            case "long":
                return new Form(name, Duration.ofSeconds(2), 60, 60);
            default:
                throw new IllegalArgumentException("'joblock.faults' = '" + name + "' must be short, report or long");
        }
    }

    boolean isLong() {
        return name.equals("long");
    }

    String cron() {
        return "0/" + period.toSeconds() + " * * * * ?";
    }
}
