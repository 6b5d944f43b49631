package dev.joblock;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes durations as users write them in XML and properties: {@code 500ms}, {@code 30s}, {@code 5m},
 * {@code 24h}, {@code 60d} or ISO-8601 ({@code PT5M}). A bare number is refused, since nobody can tell its unit.
 *
 * <p>Stateless and thread-safe.
 */
public final class Durations {

    private static final Pattern SIMPLE = Pattern.compile("([0-9]{1,15})(ms|s|m|h|d)");
    private static final Duration LONGEST = Duration.ofDays(3660);

    private Durations() {}

    /**
     * Reads a duration that must be at least one millisecond.
     *
     * @param name what the duration is for, as the user knows it; quoted in the error message
     * @param text the text to read
     * @return a positive duration of whole milliseconds
     * @throws IllegalArgumentException if the text is no duration, not positive, not whole milliseconds or longer than
     *     ten years
     */
    public static Duration parsePositive(String name, String text) {
        return positive(name, parse(name, text));
    }

    /**
     * Reads a duration that may be zero.
     *
     * @param name what the duration is for, as the user knows it; quoted in the error message
     * @param text the text to read
     * @return a duration of whole milliseconds, zero or more
     * @throws IllegalArgumentException if the text is no duration, negative, not whole milliseconds or longer than ten
     *     years
     */
    public static Duration parse(String name, String text) {
        String value = text.trim();
        Matcher simple = SIMPLE.matcher(value);
        Duration duration;
        if (simple.matches()) {
            duration = ofUnit(Long.parseLong(simple.group(1)), simple.group(2));
        } else if (value.matches("[+-]?[0-9.]+")) {
            throw refused(name, text, "has no unit");
        } else {
            try {
                duration = Duration.parse(value);
            } catch (DateTimeParseException | ArithmeticException e) {
                throw refused(name, text, "is not a duration");
            }
        }
        return wholeMillis(name, text, duration);
    }

    /**
     * Checks a duration that was given as a value.
     *
     * @param name what the duration is for; quoted in the error message
     * @param duration the duration to check
     * @return the same duration
     * @throws IllegalArgumentException if it is not positive, not whole milliseconds or longer than ten years
     */
    public static Duration positive(String name, Duration duration) {
        wholeMillis(name, duration.toString(), duration);
        if (duration.isZero()) {
            throw refused(name, duration.toString(), "must be longer than zero");
        }
        return duration;
    }

    /**
     * Writes a duration in the shortest form that {@link #parse} reads.
     *
     * @param duration a duration of whole milliseconds
     * @return for example {@code 30s}
     */
    public static String format(Duration duration) {
        long ms = duration.toMillis();
        if (ms == 0) {
            return "0s";
        }
        String[] units = {"h", "m", "s"};
        long[] sizes = {3_600_000L, 60_000L, 1_000L};
        for (int i = 0; i < units.length; i++) {
            if (ms % sizes[i] == 0) {
                return ms / sizes[i] + units[i];
            }
        }
        return ms + "ms";
    }

    private static Duration ofUnit(long amount, String unit) {
        switch (unit) {
            case "ms":
                return Duration.ofMillis(amount);
            case "s":
                return Duration.ofSeconds(amount);
            case "m":
                return seconds(amount, 60);
            case "h":
                return seconds(amount, 3_600);
            default:
                return seconds(amount, 86_400);
        }
    }

    /** What overflows is too long in any case, and is refused as such. */
    private static Duration seconds(long amount, long each) {
        return amount > Long.MAX_VALUE / each ? Duration.ofSeconds(Long.MAX_VALUE) : Duration.ofSeconds(amount * each);
    }

    private static Duration wholeMillis(String name, String text, Duration duration) {
        if (duration.isNegative()) {
            throw refused(name, text, "must not be negative");
        }
        if (duration.compareTo(LONGEST) > 0) {
            throw refused(name, text, "must not be longer than ten years");
        }
        if (!Duration.ofMillis(duration.toMillis()).equals(duration)) {
            throw refused(name, text, "must be whole milliseconds");
        }
        return duration;
    }

    private static IllegalArgumentException refused(String name, String text, String rule) {
        return new IllegalArgumentException(
                "'" + name + "' = '" + text + "' " + rule + "; write for example 500ms, 30s, 5m, 24h or PT5M");
    }
}
