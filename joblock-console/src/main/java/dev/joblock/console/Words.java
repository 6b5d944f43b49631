package dev.joblock.console;

import dev.joblock.HistoryEntry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.springframework.context.MessageSource;

/** Texts, times and durations in one language and one zone. Immutable. */
final class Words {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
    private static final int SECONDS = 1000;
    private static final int TENTHS_BELOW = 10;

    private final MessageSource messages;
    private final Locale locale;
    private final ZoneId zone;
    private final Instant now;

    Words(MessageSource messages, Locale locale, ZoneId zone, Instant now) {
        this.messages = messages;
        this.locale = locale;
        this.zone = zone;
        this.now = now;
    }

    String text(String key, Object... values) {
        return messages.getMessage(key, values, locale);
    }

    /** The time of day; with the date where it is not today's. */
    String time(Instant instant) {
        boolean today =
                instant.atZone(zone).toLocalDate().equals(now.atZone(zone).toLocalDate());
        return (today ? TIME : DAY).format(instant.atZone(zone));
    }

    String clock(Instant instant) {
        return TIME.format(instant.atZone(zone));
    }

    /** "3 s ago", "in 3 s". */
    String relative(Instant instant) {
        Duration away = Duration.between(now, instant);
        return away.isNegative() ? text("time.ago", duration(away.negated())) : text("time.in", duration(away));
    }

    String since(Instant instant) {
        Duration long_ = Duration.between(instant, now);
        return duration(long_.isNegative() ? Duration.ZERO : long_);
    }

    /** Two units at most: "4 ms", "3.2 s", "47 s", "2 min 5 s", "3 h 12 min", "2 d 4 h". */
    String duration(Duration duration) {
        long millis = duration.toMillis();
        if (millis < SECONDS) {
            return text("time.ms", Long.toString(millis));
        }
        long seconds = duration.toSeconds();
        if (seconds < TENTHS_BELOW) {
            return text("time.s", String.format(Locale.ROOT, "%.1f", millis / (double) SECONDS));
        }
        if (duration.toMinutes() < 1) {
            return text("time.s", Long.toString(seconds));
        }
        if (duration.toHours() < 1) {
            return two("time.min", duration.toMinutes(), "time.s", duration.toSecondsPart());
        }
        if (duration.toDays() < 1) {
            return two("time.h", duration.toHours(), "time.min", duration.toMinutesPart());
        }
        return two("time.d", duration.toDays(), "time.h", duration.toHoursPart());
    }

    private String two(String big, long many, String small, long rest) {
        String first = text(big, Long.toString(many));
        return rest == 0 ? first : first + " " + text(small, Long.toString(rest));
    }

    String mark(Mark mark) {
        return text("mark." + mark.css());
    }

    /** Everything that is known of an entry, in one line for a tool tip. */
    String line(HistoryEntry entry) {
        StringBuilder line = new StringBuilder(entry.node())
                .append(": ")
                .append(mark(Mark.of(entry)))
                .append(", ")
                .append(time(entry.at()));
        if (entry.outcome().isRun()) {
            entry.started()
                    .ifPresent(start -> entry.ended()
                            .ifPresent(end -> line.append(", ").append(duration(Duration.between(start, end)))));
        }
        entry.by().ifPresent(person -> line.append(", ").append(text("by", person)));
        if (!entry.detail().isEmpty()) {
            line.append(" – ").append(entry.detail());
        }
        return line.toString();
    }
}
