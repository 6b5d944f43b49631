package dev.joblock.redis;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values by name, written as {@code name=word} pairs with spaces between them, see {@link Words}. What is empty is left out.
 * Not thread-safe.
 */
final class Pairs {

    private final Map<String, String> values = new LinkedHashMap<>();

    static Pairs parse(String text) {
        Pairs pairs = new Pairs();
        for (String pair : text.split(" ", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                pairs.values.put(pair.substring(0, equals), Words.decode(pair.substring(equals + 1)));
            }
        }
        return pairs;
    }

    Pairs put(String name, String value) {
        if (!value.isEmpty()) {
            values.put(name, value);
        }
        return this;
    }

    Pairs put(String name, @Nullable Instant time) {
        return put(name, time == null ? "" : Long.toString(time.toEpochMilli()));
    }

    @Nullable
    String get(String name) {
        return values.get(name);
    }

    String get(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    long number(String name, long otherwise) {
        return LockRecord.number(get(name, ""), otherwise);
    }

    @Nullable
    Instant instant(String name) {
        long millis = number(name, Long.MIN_VALUE);
        return millis == Long.MIN_VALUE ? null : Instant.ofEpochMilli(millis);
    }

    <E extends Enum<E>> @Nullable E constant(String name, Class<E> type) {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(values.get(name))) {
                return constant;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        values.forEach((name, value) -> text.append(text.length() == 0 ? "" : " ")
                .append(name)
                .append('=')
                .append(Words.encode(value)));
        return text.toString();
    }
}
