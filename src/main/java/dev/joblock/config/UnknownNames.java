package dev.joblock.config;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns of names that look like settings and are none, since a misspelt one has no effect. */
final class UnknownNames {

    private static final Logger LOG = LoggerFactory.getLogger(JobLockSettings.class);

    private UnknownNames() {}

    /**
     * Warns once for each.
     *
     * @param listed names, and where each stands
     */
    static void warn(Map<String, String> listed) {
        listed.forEach((name, origin) -> {
            boolean variable = name.startsWith("JOBLOCK_");
            if ((variable || name.startsWith("joblock.")) && !isKnown(name)) {
                Setting nearest = nearest(name);
                LOG.warn(
                        "'{}' is no setting of Joblock and has no effect; did you mean '{}'? (from {})",
                        name,
                        variable ? nearest.variable() : nearest.key(),
                        origin);
            }
        });
    }

    private static boolean isKnown(String name) {
        return Setting.ALL.stream()
                .anyMatch(setting ->
                        setting.key().equals(name) || setting.variable().equals(name));
    }

    private static Setting nearest(String name) {
        String text = name.toLowerCase(Locale.ROOT).replace('_', '.');
        Optional<Setting> nearest = Setting.ALL.stream()
                .filter(Setting::isBuilt)
                .min((a, b) -> Integer.compare(distance(text, a.key()), distance(text, b.key())));
        return nearest.orElse(Setting.QUARTZ_JOBS);
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
