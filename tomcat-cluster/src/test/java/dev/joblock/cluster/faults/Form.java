package dev.joblock.cluster.faults;

import java.time.Duration;

/**
 * How long a row is.
 *
 * @param name for the report
 * @param period from one slot to the next
 * @param slots how many in a row
 */
record Form(String name, Duration period, int slots) {

    /** The form that {@code -Djoblock.faults=long} asks for, else the short one. */
    static Form chosen() {
        return System.getProperty("joblock.faults", "short").equals("long")
                ? new Form("long", Duration.ofSeconds(2), 60)
                : new Form("short", Duration.ofSeconds(1), 10);
    }

    boolean isLong() {
        return name.equals("long");
    }

    String cron() {
        return "0/" + period.toSeconds() + " * * * * ?";
    }
}
