package dev.joblock.redis;

/**
 * Writes any text as one word without spaces, so that words can be joined by spaces: spaces, controls and {@code %} are
 * percent-encoded, the empty text is {@code %}.
 */
final class Words {

    private Words() {}

    static String encode(String text) {
        StringBuilder word = new StringBuilder();
        append(word, text);
        return word.toString();
    }

    /** Writes a text as one word to the end of others. */
    static void append(StringBuilder words, String text) {
        if (text.isEmpty()) {
            words.append('%');
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c == '%' || c == 0x7f) {
                words.append('%').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 0xF, 16));
            } else {
                words.append(c);
            }
        }
    }

    static String decode(String word) {
        if (word.indexOf('%') < 0) {
            return word;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            int code = c == '%' && i + 2 < word.length() ? hex(word.charAt(i + 1), word.charAt(i + 2)) : -1;
            if (code >= 0) {
                text.append((char) code);
                i += 2;
            } else if (c != '%') {
                text.append(c);
            }
        }
        return text.toString();
    }

    private static int hex(char high, char low) {
        int h = Character.digit(high, 16);
        int l = Character.digit(low, 16);
        return h < 0 || l < 0 ? -1 : h * 16 + l;
    }
}
