package dev.joblock.config;

/** A value as it was found: under which name, and where. Immutable. */
final class Found {

    private final String name;
    private final String text;
    private final String origin;

    /**
     * A find.
     *
     * @param name the name that was asked for
     * @param text the value, as it stands there
     * @param origin where, as people call it
     */
    Found(String name, String text, String origin) {
        this.name = name;
        this.text = text;
        this.origin = origin;
    }

    String name() {
        return name;
    }

    String text() {
        return text;
    }

    String origin() {
        return origin;
    }

    /** Whether the name is one of the hand-written solutions', whose bare numbers are milliseconds. */
    boolean isHandWritten() {
        return !name.startsWith("joblock.");
    }

    /** The exception for this value: the name, the value, the rule and the way out, and where it came from. */
    IllegalArgumentException refused(String ruleAndWayOut) {
        return new IllegalArgumentException("'" + name + "' = '" + text + "' " + ruleAndWayOut + from());
    }

    /** Where the value came from, as the end of a sentence. */
    String from() {
        return " (from " + origin + ")";
    }
}
