package dev.joblock;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a policy says of a hand-written lock, as it was written; checked as a whole when the policy is complete. */
final class LegacySettings {

    LegacyLock.@Nullable Layout layout;

    @Nullable
    String key;

    @Nullable
    String field;

    @Nullable
    Duration timeout;

    @Nullable
    Duration interval;

    @Nullable
    String intervalKey;

    @Nullable
    String intervalField;

    LegacySettings() {}

    static LegacyLock.Layout layout(String text) {
        for (LegacyLock.Layout layout : LegacyLock.Layout.values()) {
            if (layout.name().equals(text.trim())) {
                return layout;
            }
        }
        throw new IllegalArgumentException(
                "'legacy' = '" + text + "' is no layout of a hand-written lock; write O2 or O4");
    }

    static String notBlank(String name, String text) {
        if (text.trim().isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + name + "' is blank; leave it out or write what the hand-written lock has");
        }
        return text.trim();
    }

    boolean isSet() {
        return layout != null
                || key != null
                || field != null
                || timeout != null
                || interval != null
                || intervalKey != null
                || intervalField != null;
    }

    /** The lock that these settings of a complete policy describe; null if none is set. */
    @Nullable
    LegacyLock lock(JobLockPolicy policy) {
        if (!isSet()) {
            return null;
        }
        if (layout == null) {
            throw wrong(policy, "says how a hand-written lock is kept, and 'legacy' is not set; set it to O2 or O4");
        }
        if (policy.mode() == LockMode.TOKEN) {
            throw wrong(
                    policy,
                    "has legacy '" + layout + "' in mode 'token', which keeps no hash beside another; take the mode '"
                            + LockMode.HASH_TIMESTAMP + "' or '" + LockMode.STATUS_TIME + "'");
        }
        String checkedKey = key(policy, layout);
        boolean o2 = layout == LegacyLock.Layout.O2;
        if (o2) {
            refuse(policy, "legacyInterval", interval, "O4");
            refuse(policy, "legacyIntervalKey", intervalKey, "O4");
            refuse(policy, "legacyIntervalField", intervalField, "O4");
        } else {
            refuse(policy, "legacyTimeout", timeout, "O2");
            if (interval == null && intervalKey == null) {
                throw wrong(
                        policy,
                        "has legacy 'O4' and no interval; set 'legacyInterval', such as '5m', or 'legacyIntervalKey' to the"
                                + " key of the hash that holds it");
            }
        }
        return new LegacyLock(
                layout,
                checkedKey,
                o2 ? Collections.singletonList(field == null ? "ALL#ALL" : field) : statusAndTime(policy),
                timeout,
                interval,
                intervalKey,
                intervalField == null ? "intervaltime" : intervalField,
                policy.maxHold());
    }

    private String key(JobLockPolicy policy, LegacyLock.Layout of) {
        if (key == null) {
            throw wrong(
                    policy,
                    "has legacy '" + of + "' and no 'legacyKey'; set it to the key of the hand-written lock, with {job}"
                            + " for the job's name, such as 'JOB_{job}'");
        }
        boolean named = LegacyLock.namesTheJob(key);
        if (named && policy.lockName().isPresent()) {
            throw wrong(
                    policy,
                    "has 'legacyKey' = '" + key + "', a key for each job, and one lock name '"
                            + policy.lockName().get() + "' for all; write a key without {job} or leave lockName out");
        }
        if (!named && !policy.lockName().isPresent() && !isOneJob(policy.jobs())) {
            throw wrong(
                    policy,
                    "has 'legacyKey' = '" + key
                            + "', one key for jobs that have a lock each; write {job} where the job's"
                            + " name stands, or make a policy for each job");
        }
        return key;
    }

    private static boolean isOneJob(JobPatterns jobs) {
        List<String> patterns = jobs.included();
        return patterns.size() == 1 && patterns.get(0).indexOf('*') < 0;
    }

    private List<String> statusAndTime(JobLockPolicy policy) {
        String[] names = (field == null ? "status,time" : field).split(",", -1);
        if (names.length != 2
                || names[0].trim().isEmpty()
                || names[0].trim().equals(names[1].trim())
                || names[1].trim().isEmpty()) {
            throw wrong(
                    policy,
                    "has 'legacyField' = '" + field + "', which must name two fields with legacy 'O4'; write them as"
                            + " 'status,time'");
        }
        return Collections.unmodifiableList(Arrays.asList(names[0].trim(), names[1].trim()));
    }

    private static void refuse(JobLockPolicy policy, String name, @Nullable Object value, String layout) {
        if (value != null) {
            throw wrong(policy, "has '" + name + "', which belongs to legacy '" + layout + "'; leave it out");
        }
    }

    private static IllegalArgumentException wrong(JobLockPolicy policy, String what) {
        return new IllegalArgumentException("The policy for '" + policy.jobs() + "' " + what);
    }
}
