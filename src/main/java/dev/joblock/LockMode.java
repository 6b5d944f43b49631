package dev.joblock;

/**
 * How a lock is kept in Redis. Nodes in {@link #HASH_TIMESTAMP} and {@link #STATUS_TIME} mode keep the same record and
 * exclude one another; {@link #TOKEN} has a key of its own.
 */
public enum LockMode {
    /** One Lua script a call; one round trip. The default. */
    HASH_TIMESTAMP("hash-timestamp"),
    /** {@code WATCH}, a decision in Java, {@code MULTI}/{@code EXEC}; for servers where scripts are switched off. */
    STATUS_TIME("status-time"),
    /** A plain string key as services in other languages take it by {@code SET NX PX}, with the record beside it. */
    TOKEN("token");

    private final String text;

    LockMode(String text) {
        this.text = text;
    }

    /**
     * Reads a mode as users write it.
     *
     * @param name where it was written; quoted in the error message
     * @param text {@code hash-timestamp}, {@code status-time} or {@code token}
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
                "'" + name + "' = '" + text + "' is no lock mode; write hash-timestamp, status-time or token");
    }

    @Override
    public String toString() {
        return text;
    }
}
