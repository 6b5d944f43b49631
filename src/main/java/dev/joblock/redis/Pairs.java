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
        for (int begin = 0; begin < text.length(); ) {
            int space = text.indexOf(' ', begin);
            int end = space < 0 ? text.length() : space;
            int equals = text.indexOf('=', begin);
            if (equals > begin && equals < end) {
                pairs.values.put(text.substring(begin, equals), Words.decode(text.substring(equals + 1, end)));
            }
            begin = end + 1;
        }
        return pairs;
    }

    Pairs put(String name, String value) {
        if (!value.isEmpty()) {
            values.put(name, value);
        }
        return this;
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
        PairsWriter text = new PairsWriter();
        values.forEach(text::put);
        return text.toString();
    }
}
