package dev.joblock.redis;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes values as {@link Pairs} reads them. What is empty is left out. Not thread-safe. */
final class PairsWriter {

    private final StringBuilder text = new StringBuilder(256);

    PairsWriter put(String name, String value) {
        if (!value.isEmpty()) {
            Words.append(begin(name), value);
        }
        return this;
    }

    PairsWriter put(String name, @Nullable Instant time) {
        return time == null ? this : put(name, time.toEpochMilli());
    }

    PairsWriter put(String name, long number) {
        begin(name).append(number);
        return this;
    }

    private StringBuilder begin(String name) {
        return (text.length() == 0 ? text : text.append(' ')).append(name).append('=');
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
