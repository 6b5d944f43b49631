package dev.joblock.batch;

import dev.joblock.Durations;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobPatterns;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.batch.core.configuration.JobRegistry;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/** What is checked and told once about the Batch jobs of a context. For one thread. */
final class BatchStartUp {

    private static final Logger LOG = LoggerFactory.getLogger(BatchGuard.class);

    private final BatchGuard guard;
    private final ListableBeanFactory beans;
    /** Names of jobs, each with the job if it is there already. */
    private final Map<String, @Nullable Object> jobs = new TreeMap<>();

    BatchStartUp(BatchGuard guard, ListableBeanFactory beans) {
        this.guard = guard;
        this.beans = beans;
    }

    /**
     * Checks and tells.
     *
     * @throws IllegalStateException if a job can't have the slot as parameter; or if strict and a pattern matches no job
     */
    void run(boolean strict) {
        findJobs();
        if (jobs.isEmpty()) {
            if (!guard.patterns().isEmpty()) {
                LOG.info(
                        "There is no Batch job in this context; one that is registered later is guarded when it is launched");
            }
            return;
        }
        StringBuilder table = new StringBuilder();
        int guarded = 0;
        for (Map.Entry<String, @Nullable Object> job : jobs.entrySet()) {
            String why = guard.reason(job.getKey()).orElse(null);
            guarded += why == null ? 0 : 1;
            table.append("\n  ").append(job.getKey()).append(": ").append(line(job.getKey(), why));
            checkSlot(job.getKey(), job.getValue());
        }
        LOG.info(
                "Joblock guards {} of {} Batch jobs on node {}{}:{}",
                guarded,
                jobs.size(),
                guard.service().nodeId(),
                guard.isDryRun() ? "; DRY RUN, so that no launch is held back" : "",
                table);
        for (String pattern : guard.patterns()) {
            check(pattern, strict);
        }
    }

    private void findJobs() {
        for (String bean : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, BatchTypes.JOB, false, false)) {
            Object job = job(bean);
            jobs.put(job == null ? bean : BatchTypes.jobName(job), job);
        }
        for (String bean :
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, JobRegistry.class, false, false)) {
            Object registry = beans.getBean(bean);
            ((Collection<?>) BatchTypes.get(registry, "jobNames"))
                    .forEach(name -> jobs.putIfAbsent(String.valueOf(name), null));
        }
    }

    /** A job; null if it can't be made now, which is the host's business. */
    private @Nullable Object job(String bean) {
        try {
            return beans.getBean(bean);
        } catch (RuntimeException e) {
            LOG.debug("Batch job bean '{}' could not be made", bean, e);
            return null;
        }
    }

    private String line(String job, @Nullable String why) {
        if (why == null) {
            return "not guarded, nothing names it";
        }
        JobLockPolicy policy = guard.policyFor(job);
        String exclusive = policy.lockName().isPresent()
                ? "lock '" + policy.lockName().get() + "'"
                : policy.isJobExclusive() ? "one lock for the job" : "a lock for each set of identifying parameters";
        return "guarded by " + why + ", " + exclusive + ", lease " + Durations.format(policy.lease());
    }

    private void checkSlot(String name, @Nullable Object job) {
        String problem =
                job != null && guard.guards(name) && guard.policyFor(name).hasSlotParameter()
                        ? SlotParameter.problem(job)
                        : null;
        if (problem != null) {
            throw new IllegalStateException(problem);
        }
    }

    private void check(String pattern, boolean strict) {
        JobPatterns single = JobPatterns.parse(pattern);
        if (pattern.equals("*") || jobs.keySet().stream().anyMatch(single::matches)) {
            return;
        }
        String message = "The pattern '" + pattern + "' matches no Batch job; the jobs are " + jobs.keySet()
                + ". Write the name of the job, in a JobLockPolicy with batch: in front; * stands for any characters";
        if (strict) {
            throw new IllegalStateException(message);
        }
        LOG.warn(message);
    }
}
