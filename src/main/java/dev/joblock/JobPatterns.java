package dev.joblock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A comma-separated list of job-name patterns: {@code name}, {@code group.name}, {@code *} for any characters,
 * {@code !} in front to exclude. A job matches if one pattern includes it and none excludes it.
 *
 * <p>Names are compared as they are, with case. A name of another kind of job ({@code task:…}, {@code batch:…}) is matched by
 * patterns of that kind alone, so that {@code *} means all Quartz jobs and {@code task:*} all Spring tasks. Immutable and thread-safe.
 */
public final class JobPatterns {

    /** What the names of Spring Batch jobs, and the patterns that mean them, begin with. */
    public static final String BATCH = "batch:";

    /** What names begin with that are no names of Quartz jobs. */
    private static final List<String> KINDS = Collections.unmodifiableList(Arrays.asList("task:", BATCH));

    private final String text;
    private final List<String> included;
    private final List<String> excluded;

    private JobPatterns(String text, List<String> included, List<String> excluded) {
        this.text = text;
        this.included = Collections.unmodifiableList(included);
        this.excluded = Collections.unmodifiableList(excluded);
    }

    /**
     * Reads a list of patterns.
     *
     * @param text patterns with commas between them; blank means none
     * @return the patterns
     * @throws IllegalArgumentException if a pattern is empty, or only exclusions are given
     */
    public static JobPatterns parse(String text) {
        List<String> included = new ArrayList<>();
        List<String> excluded = new ArrayList<>();
        if (!text.trim().isEmpty()) {
            for (String part : text.split(",", -1)) {
                String pattern = part.trim();
                boolean not = pattern.startsWith("!");
                String name = not ? pattern.substring(1).trim() : pattern;
                if (name.isEmpty()) {
                    throw new IllegalArgumentException(
                            "Job patterns '" + text
                                    + "' contain an empty pattern; write names with single commas between them, such as 'invoice,report*,!reportOld'");
                }
                (not ? excluded : included).add(name);
            }
            if (included.isEmpty()) {
                throw new IllegalArgumentException("Job patterns '" + text
                        + "' only exclude; say which jobs they are taken from, such as '*," + text.trim() + "'");
            }
        }
        return new JobPatterns(text.trim(), included, excluded);
    }

    /**
     * Whether there is no pattern at all.
     *
     * @return true if nothing can match
     */
    public boolean isEmpty() {
        return included.isEmpty();
    }

    /**
     * Whether a job is meant by these patterns.
     *
     * @param job the job's name, with its group in front where that is not the default group
     * @return true if a pattern includes the job and none excludes it
     */
    public boolean matches(String job) {
        return match(job).isPresent();
    }

    /**
     * The pattern that includes a job; the longest if there are several.
     *
     * @param job the job's name, with its group in front where that is not the default group
     * @return the pattern, or empty if the job is not meant
     */
    public Optional<String> match(String job) {
        for (String pattern : excluded) {
            if (applies(pattern, job)) {
                return Optional.empty();
            }
        }
        String best = null;
        for (String pattern : included) {
            if (applies(pattern, job) && (best == null || pattern.length() > best.length())) {
                best = pattern;
            }
        }
        return Optional.ofNullable(best);
    }

    /**
     * The patterns that include jobs, in the order in which they were written.
     *
     * @return an unmodifiable list
     */
    public List<String> included() {
        return included;
    }

    /**
     * Of which kind of job a name or pattern is.
     *
     * @param name a name or a pattern
     * @return {@code task:} or {@code batch:} if it begins so, else an empty text for a Quartz job
     */
    public static String kind(String name) {
        for (String kind : KINDS) {
            if (name.startsWith(kind)) {
                return kind;
            }
        }
        return "";
    }

    private static boolean applies(String pattern, String name) {
        return kind(pattern).equals(kind(name)) && glob(pattern, name);
    }

    @Override
    public String toString() {
        return text;
    }

    /** Walks both strings once, going back to the last star on a mismatch; no regular expression, so no name is special. */
    private static boolean glob(String pattern, String name) {
        int p = 0;
        int n = 0;
        int star = -1;
        int resume = 0;
        while (n < name.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                resume = n;
            } else if (p < pattern.length() && pattern.charAt(p) == name.charAt(n)) {
                p++;
                n++;
            } else if (star >= 0) {
                p = star + 1;
                n = ++resume;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
