package dev.joblock.config;

import java.util.Comparator;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns of names that look like settings and are none, since a misspelt one has no effect. */
final class UnknownNames {

    private static final Logger LOG = LoggerFactory.getLogger(JobLockSettings.class);

    /** Farther apart, two names are not one and its misspelling. */
    private static final int FARTHEST = 5;

    private UnknownNames() {}

    /**
     * Warns once for each.
     *
     * @param listed names, and where each stands
     */
    static void warn(Map<String, String> listed) {
        listed.forEach((name, origin) -> {
            if ((name.startsWith("JOBLOCK_") || name.startsWith("joblock.")) && !isKnown(name)) {
                LOG.warn("'{}' is no setting of Joblock and has no effect{} (from {})", name, suggestion(name), origin);
            }
        });
    }

    /** The names of the console are read by a module of its own. */
    private static boolean isKnown(String name) {
        return name.startsWith("joblock.console.")
                || name.startsWith("JOBLOCK_CONSOLE_")
                || Setting.ALL.stream()
                        .anyMatch(setting ->
                                setting.key().equals(name) || setting.variable().equals(name));
    }

    private static String suggestion(String name) {
        boolean variable = name.startsWith("JOBLOCK_");
        return Setting.ALL.stream()
                .map(setting -> variable ? setting.variable() : setting.key())
                .min(Comparator.comparingInt(known -> distance(name, known)))
                .filter(nearest -> distance(name, nearest) <= FARTHEST)
                .map(nearest -> "; did you mean '" + nearest + "'?")
                .orElse("");
    }

    /** The least number of letters to put in, take out or change. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
