package dev.joblock.redis;

import java.nio.charset.StandardCharsets;

/**
 * The one home of key names: prefix + lock name as it is, in UTF-8. Only <code>{ } %</code> and control characters are
 * percent-encoded, so that no lock name can change the hash slot of its key, break a terminal, or equal another's key.
 *
 * <p>Immutable and thread-safe.
 */
final class LockKeys {

    private final String prefix;

    LockKeys(String prefix) {
        this.prefix = prefix;
    }

    String name(String lockName) {
        StringBuilder key = new StringBuilder(prefix);
        for (int i = 0; i < lockName.length(); i++) {
            char c = lockName.charAt(i);
            if (c == '{' || c == '}' || c == '%' || Character.isISOControl(c)) {
                encode(c, key);
            } else {
                key.append(c);
            }
        }
        return key.toString();
    }

    byte[] key(String lockName) {
        return name(lockName).getBytes(StandardCharsets.UTF_8);
    }

    /** A key that is no lock's: braces never stand in a lock's key as they are. */
    byte[] reserved(String name) {
        return (prefix + '{' + name + '}').getBytes(StandardCharsets.UTF_8);
    }

    /** A key for a request of people, which lives for a moment. */
    byte[] request(String name) {
        String encoded = name(name).substring(prefix.length());
        return (prefix + "{request}" + encoded).getBytes(StandardCharsets.UTF_8);
    }

    private static void encode(char c, StringBuilder out) {
        for (byte b : String.valueOf(c).getBytes(StandardCharsets.UTF_8)) {
            out.append('%');
            out.append(Character.toUpperCase(Character.forDigit((b >> 4) & 0xF, 16)));
            out.append(Character.toUpperCase(Character.forDigit(b & 0xF, 16)));
        }
    }
}
