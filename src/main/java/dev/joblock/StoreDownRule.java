package dev.joblock;

/** What becomes of a fire while the store is down. */
public enum StoreDownRule {
    /** It does not run. */
    SKIP("skip"),
    /** It runs without its lock, on every node that it fires on. */
    RUN("run");

    private final String text;

    StoreDownRule(String text) {
        this.text = text;
    }

    /**
     * Reads what users write.
     *
     * @param name the name of the setting, for the message
     * @param text {@code skip} or {@code run}
     * @return the rule
     * @throws IllegalArgumentException if it is neither
     */
    public static StoreDownRule parse(String name, String text) {
        for (StoreDownRule rule : values()) {
            if (rule.text.equalsIgnoreCase(text.trim())) {
                return rule;
            }
        }
        throw new IllegalArgumentException(
                "'" + name + "' = '" + text + "' is neither skip nor run; write one of them");
    }

    @Override
    public String toString() {
        return text;
    }
}
