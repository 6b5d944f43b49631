package dev.joblock.quartz;

import org.quartz.utils.Key;

/**
 * Writes Quartz keys as one text. Two different keys never give the same text, whatever characters they contain.
 *
 * <p>Stateless and thread-safe.
 */
final class Keys {

    private Keys() {}

    /** A key as people write it and patterns match it; {@code a.b} may be a name or a group and a name. */
    static String plain(String group, String name) {
        return group.equals(Key.DEFAULT_GROUP) ? name : group + "." + name;
    }

    /**
     * A key that stands for itself alone: the first dot without a backslash parts group and name, and there is none only
     * for a name in the default group.
     */
    static String exact(String group, String name) {
        if (!group.equals(Key.DEFAULT_GROUP)) {
            return escape(group, '.') + "." + name;
        }
        return name.indexOf('.') < 0 ? name : group + "." + name;
    }

    /** Puts a backslash before each of the characters and before each backslash. */
    static String escape(String text, char special) {
        StringBuilder escaped = new StringBuilder(text.length() + 8);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' || c == special) {
                escaped.append('\\');
            }
            escaped.append(c);
        }
        return escaped.toString();
    }
}
