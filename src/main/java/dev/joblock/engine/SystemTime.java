package dev.joblock.engine;

/** The one place that reads this machine's clocks. No state; safe for use by any thread. */
public final class SystemTime {
    private SystemTime() {}

    /**
     * Reads the wall clock, which may step in either direction.
     *
     * @return milliseconds since 1970-01-01T00:00Z
     */
    public static long wallMillis() {
        return System.currentTimeMillis();
    }

    /**
     * Reads the monotonic clock, which is good for differences alone.
     *
     * @return nanoseconds since an arbitrary instant
     */
    public static long monotonicNanos() {
        return System.nanoTime();
    }
}
