package dev.joblock;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The hand-written lock that stands beside ours while a cluster is upgraded node by node: where it is kept and by which rules
 * its nodes read it. Made by {@link JobLockPolicy}; a value, immutable and thread-safe.
 */
public final class LegacyLock {

    /** How the hand-written lock is kept. */
    public enum Layout {
        /**
         * A hash with one field that holds when it was written (ms): held while the field is there and younger than a time-out;
         * its end deletes the field.
         */
        O2,
        /**
         * A hash with a status ({@code true}, {@code false}) and a time (ms): held while the status is {@code true}; free where
         * the time is older than an interval, with a tolerance of a sixtieth.
         */
        O4
    }

    private static final String JOB = "{job}";

    private final Layout layout;
    private final String key;
    private final List<String> fields;
    private final @Nullable Duration timeout;
    private final @Nullable Duration interval;
    private final @Nullable String intervalKey;
    private final String intervalField;
    private final Duration maxHold;

    LegacyLock(
            Layout layout,
            String key,
            List<String> fields,
            @Nullable Duration timeout,
            @Nullable Duration interval,
            @Nullable String intervalKey,
            String intervalField,
            Duration maxHold) {
        this.layout = layout;
        this.key = key;
        this.fields = fields;
        this.timeout = timeout;
        this.interval = interval;
        this.intervalKey = intervalKey;
        this.intervalField = intervalField;
        this.maxHold = maxHold;
    }

    static boolean namesTheJob(String key) {
        return key.contains(JOB);
    }

    /**
     * How it is kept.
     *
     * @return the layout
     */
    public Layout layout() {
        return layout;
    }

    /**
     * Its key.
     *
     * @param lockName the name of our lock
     * @return the key of a hash
     */
    public String key(String lockName) {
        return key.replace(JOB, lockName);
    }

    /**
     * The field of layout O2; or the two of O4, status and time.
     *
     * @param i 0 or 1
     * @return the name of the field
     */
    public String field(int i) {
        return fields.get(i);
    }

    /**
     * O2: after which time the old nodes take a lock for free.
     *
     * @return a positive duration, or empty for the time to the next fire, less 10 ms
     */
    public Optional<Duration> timeout() {
        return Optional.ofNullable(timeout);
    }

    /**
     * O4: the interval, where {@link #intervalKey} has none.
     *
     * @return a positive duration, or empty
     */
    public Optional<Duration> interval() {
        return Optional.ofNullable(interval);
    }

    /**
     * O4: the key of the hash that holds the interval, in minutes.
     *
     * @param lockName the name of our lock
     * @return the key, or empty if the interval is fixed
     */
    public Optional<String> intervalKey(String lockName) {
        return intervalKey == null ? Optional.empty() : Optional.of(intervalKey.replace(JOB, lockName));
    }

    /**
     * O4: the field of {@link #intervalKey} that holds the interval.
     *
     * @return the name of the field
     */
    public String intervalField() {
        return intervalField;
    }

    /**
     * How long a lock whose holder gives no sign of life, and which has no time-out, is respected.
     *
     * @return a positive duration
     */
    public Duration maxHold() {
        return maxHold;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof LegacyLock)) {
            return false;
        }
        LegacyLock that = (LegacyLock) other;
        return layout == that.layout
                && key.equals(that.key)
                && fields.equals(that.fields)
                && Objects.equals(timeout, that.timeout)
                && Objects.equals(interval, that.interval)
                && Objects.equals(intervalKey, that.intervalKey)
                && intervalField.equals(that.intervalField)
                && maxHold.equals(that.maxHold);
    }

    @Override
    public int hashCode() {
        return Objects.hash(layout, key, fields, timeout, interval, intervalKey, intervalField, maxHold);
    }

    @Override
    public String toString() {
        return "legacy " + layout + " at '" + key + "'";
    }
}
