package dev.joblock;

/** How a lock is kept in Redis. Both modes keep the same record, so that nodes of either exclude one another. */
public enum LockMode {
    /** One Lua script a call; one round trip. The default. */
    HASH_TIMESTAMP("hash-timestamp"),
    /** {@code WATCH}, a decision in Java, {@code MULTI}/{@code EXEC}; for servers where scripts are switched off. */
    STATUS_TIME("status-time");

    private final String text;

    LockMode(String text) {
        this.text = text;
    }

    /**
     * Reads a mode as users write it.
     *
     * @param name where it was written; quoted in the error message
     * @param text {@code hash-timestamp} or {@code status-time}
     * @return the mode
     * @throws IllegalArgumentException if there is no such mode
     */
    public static LockMode parse(String name, String text) {
        for (LockMode mode : values()) {
            if (mode.text.equals(text.trim())) {
                return mode;
            }
        }
        throw new IllegalArgumentException(
                "'" + name + "' = '" + text + "' is no lock mode; write hash-timestamp or status-time");
    }

    @Override
    public String toString() {
        return text;
    }
}
