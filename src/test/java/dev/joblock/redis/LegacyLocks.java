package dev.joblock.redis;

import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.LegacyLock;
import java.util.List;
import java.util.function.Consumer;

/** Hand-written locks, described as users do. */
final class LegacyLocks {

    private LegacyLocks() {}

    static LegacyLock o2(String key, Consumer<JobLockPolicy> more) {
        return of("O2", key, more);
    }

    static LegacyLock o4(String key, Consumer<JobLockPolicy> more) {
        return of("O4", key, more);
    }

    private static LegacyLock of(String layout, String key, Consumer<JobLockPolicy> more) {
        JobLockPolicy policy = new JobLockPolicy();
        policy.setJobs("*");
        policy.setLegacy(layout);
        policy.setLegacyKey(key);
        more.accept(policy);
        return new JobLockPolicies(new JobLockPolicy(), List.of(policy))
                .policyFor("any")
                .legacy()
                .orElseThrow();
    }
}
