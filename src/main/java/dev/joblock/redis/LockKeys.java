package dev.joblock.redis;

import java.nio.charset.StandardCharsets;

/**
 * The one home of key names: prefix + lock name as it is, in UTF-8. Only <code>{ } %</code>, control characters and halves of
 * characters are percent-encoded, so that no lock name can change the hash slot of its key, break a terminal, or equal
 * another's key.
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
            } else if (i + 1 < lockName.length() && Character.isSurrogatePair(c, lockName.charAt(i + 1))) {
                key.append(c).append(lockName.charAt(++i));
            } else if (Character.isSurrogate(c)) {
                encodeHalf(c, key);
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
            encode(b, out);
        }
    }

    /** Half of a character, as a name has it that was cut: UTF-8 knows none and would make each of them a question mark. */
    private static void encodeHalf(char c, StringBuilder out) {
        encode((byte) (0xE0 | (c >> 12)), out);
        encode((byte) (0x80 | ((c >> 6) & 0x3F)), out);
        encode((byte) (0x80 | (c & 0x3F)), out);
    }

    private static void encode(byte b, StringBuilder out) {
        out.append('%');
        out.append(Character.toUpperCase(Character.forDigit((b >> 4) & 0xF, 16)));
        out.append(Character.toUpperCase(Character.forDigit(b & 0xF, 16)));
    }
}
