package dev.joblock;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the policy of a job: of all that match, the one with the longest pattern; else the defaults.
 *
 * <p>Immutable and thread-safe; keeps nothing per job.
 */
public final class JobLockPolicies {

    private final JobLockPolicy defaults;
    private final List<JobLockPolicy> policies;

    /**
     * A set of policies.
     *
     * @param defaults what policies don't set, and the policy of jobs that none matches
     * @param policies the policies
     * @throws IllegalArgumentException if a policy has no pattern, or two have an equal one
     */
    public JobLockPolicies(JobLockPolicy defaults, Collection<JobLockPolicy> policies) {
        this.defaults = new JobLockPolicy().over(defaults);
        List<JobLockPolicy> full = new ArrayList<>();
        Map<String, JobLockPolicy> byPattern = new HashMap<>();
        for (JobLockPolicy policy : policies) {
            if (policy.jobs().isEmpty()) {
                throw new IllegalArgumentException(
                        "A JobLockPolicy bean has no job patterns; set its property 'jobs', for example to 'reconcile*'");
            }
            for (String pattern : policy.jobs().included()) {
                if (byPattern.put(pattern, policy) != null) {
                    throw new IllegalArgumentException("The pattern '" + pattern
                            + "' stands twice in JobLockPolicy beans, so that neither goes first; keep one of them");
                }
            }
            full.add(policy.over(defaults));
        }
        this.policies = Collections.unmodifiableList(full);
    }

    /**
     * The policy that names a job.
     *
     * @param job the job's name, with its group in front where that is not the default group
     * @return the matching policy with the longest pattern, or empty if none matches
     */
    public Optional<JobLockPolicy> find(String job) {
        JobLockPolicy best = null;
        int length = -1;
        for (JobLockPolicy policy : policies) {
            Optional<String> pattern = policy.jobs().match(job);
            if (pattern.isPresent() && pattern.get().length() > length) {
                best = policy;
                length = pattern.get().length();
            }
        }
        return Optional.ofNullable(best);
    }

    /**
     * The policy of a job.
     *
     * @param job the job's name, with its group in front where that is not the default group
     * @return the policy that names it, or the defaults
     */
    public JobLockPolicy policyFor(String job) {
        return find(job).orElse(defaults);
    }

    /**
     * The policy of a run.
     *
     * @param run the run
     * @return the policy that names its job; else the run's own over the defaults; else the defaults
     * @throws IllegalArgumentException if the run's own policy and the defaults contradict one another
     */
    public JobLockPolicy policyFor(JobRun run) {
        return find(run.job())
                .orElseGet(() -> run.policy().map(own -> own.over(defaults)).orElse(defaults));
    }

    /**
     * The policies that name jobs.
     *
     * @return an unmodifiable list, complete with the defaults
     */
    public List<JobLockPolicy> all() {
        return policies;
    }
}
