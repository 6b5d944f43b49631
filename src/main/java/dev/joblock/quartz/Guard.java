package dev.joblock.quartz;

import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobPatterns;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Says which jobs are guarded. Decided anew at each fire from policies and patterns; keeps nothing per job.
 *
 * <p>Thread-safe.
 */
final class Guard {

    private final JobLockPolicies policies;
    private volatile JobPatterns patterns = JobPatterns.parse("");
    private volatile boolean enabled = true;
    private volatile boolean dryRun;

    Guard(JobLockPolicies policies) {
        this.policies = policies;
    }

    void setJobs(String text) {
        patterns = JobPatterns.parse(text);
    }

    void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    void setDryRun(boolean dryRun) {
        this.dryRun = dryRun;
    }

    boolean isEnabled() {
        return enabled;
    }

    boolean isDryRun() {
        return dryRun;
    }

    boolean guards(String job) {
        return policies.find(job).isPresent() || patterns.matches(job);
    }

    /** What makes a job guarded, or empty if it is not. A policy goes before the property. */
    Optional<String> reason(String job) {
        Optional<JobLockPolicy> policy = policies.find(job);
        if (policy.isPresent()) {
            return policy.get().jobs().match(job).map(pattern -> "policy '" + pattern + "'");
        }
        return patterns.match(job).map(pattern -> "jobs '" + pattern + "'");
    }

    /** Whether there is neither a policy nor a pattern, so that no job can be guarded. */
    boolean isEmpty() {
        return patterns().isEmpty();
    }

    /** All patterns that include Quartz jobs, in the order in which they were written. */
    Set<String> patterns() {
        Set<String> all = new LinkedHashSet<>(patterns.included());
        for (JobLockPolicy policy : policies.all()) {
            all.addAll(policy.jobs().included());
        }
        all.removeIf(pattern -> pattern.startsWith(JobPatterns.BATCH));
        return all;
    }

    JobLockPolicies policies() {
        return policies;
    }
}
