package dev.joblock.batch;

import dev.joblock.JobPatterns;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lock names of Batch jobs: {@code batch:invoice?date=2026-10-25&run=7(Long)}. Equal on all nodes for equal identifying
 * parameters, in whatever order and version of Batch; different for different ones. Beyond {@value #LONGEST} characters the
 * parameters are replaced by a hash.
 *
 * <p>Stateless and thread-safe.
 */
final class LockNames {

    static final int LONGEST = 200;
    private static final int LONGEST_JOB = 100;

    private LockNames() {}

    /** The lock of all runs of a job. */
    static String ofJob(String job) {
        return bounded(JobPatterns.BATCH + escape(job), job);
    }

    /** The lock of the runs with the same identifying parameters. */
    static String of(String job, Object parameters) {
        StringBuilder name = new StringBuilder(JobPatterns.BATCH).append(escape(job));
        char separator = '?';
        for (Map.Entry<String, String> parameter : identifying(parameters).entrySet()) {
            name.append(separator)
                    .append(escape(parameter.getKey()))
                    .append('=')
                    .append(parameter.getValue());
            separator = '&';
        }
        return bounded(name.toString(), job);
    }

    private static Map<String, String> identifying(Object parameters) {
        Map<String, String> sorted = new TreeMap<>();
        Object all = BatchTypes.get(parameters, "parameters");
        if (all instanceof Map) {
            ((Map<?, ?>) all).forEach((name, parameter) -> add(sorted, String.valueOf(name), parameter));
        } else {
            ((Collection<?>) all).forEach(it -> add(sorted, String.valueOf(BatchTypes.get(it, "name")), it));
        }
        return sorted;
    }

    private static void add(Map<String, String> sorted, String name, Object parameter) {
        if (Boolean.TRUE.equals(BatchTypes.get(parameter, "identifying"))) {
            String type = type(BatchTypes.get(parameter, "type"));
            String suffix = type.equals("String") ? "" : "(" + type + ")";
            sorted.put(name, escape(text(BatchTypes.find(parameter, "value"))) + suffix);
        }
    }

    /** Batch 4.3 has four types of its own, later versions any class. */
    private static String type(Object type) {
        if (!(type instanceof Class)) {
            String name = type.toString();
            return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
        }
        Class<?> javaType = (Class<?>) type;
        return javaType.getName().matches("java\\.(lang|util|time)\\.[^.]+")
                ? javaType.getSimpleName()
                : javaType.getName();
    }

    /** An instant is the same text in every zone, which a date's own is not. */
    private static String text(@Nullable Object value) {
        if (value instanceof Date) {
            return Instant.ofEpochMilli(((Date) value).getTime()).toString();
        }
        return value == null ? "" : value.toString();
    }

    /** Puts a backslash before what parts a lock name. */
    private static String escape(String text) {
        return text.replaceAll("[\\\\?&=(]", "\\\\$0");
    }

    /** The hash can't be taken for parameters, since there is no unescaped = in it. */
    private static String bounded(String name, String job) {
        if (name.length() <= LONGEST) {
            return name;
        }
        String start = job.length() <= LONGEST_JOB ? job : job.substring(0, LONGEST_JOB);
        return JobPatterns.BATCH + escape(start) + "?#" + sha256(name);
    }

    private static String sha256(String text) {
        try {
            StringBuilder hex = new StringBuilder(64);
            for (byte b : MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8))) {
                hex.append(Character.forDigit((b >> 4) & 0xf, 16)).append(Character.forDigit(b & 0xf, 16));
            }
            return hex.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
