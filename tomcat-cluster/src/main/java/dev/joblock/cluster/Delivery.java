package dev.joblock.cluster;

import java.time.Instant;

/**
 * A file that a partner is going to put into the inbox.
 *
 * @param at when
 * @param name the file's name
 * @param number which content: equal numbers of one name are equal contents
 * @param kind in which state
 * @param late whether it comes after its time
 * @param lines how many lines it has, the title and the end mark aside
 */
record Delivery(Instant at, String name, int number, Kind kind, boolean late, int lines) {

    /** In which state a file is. */
    enum Kind {
        /** As agreed. */
        WHOLE,
        /** A few lines can't be read. */
        BAD_LINES,
        /** Its end is missing. */
        TRUNCATED,
        /** No line can be read. */
        GARBAGE
    }
}
