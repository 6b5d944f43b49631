package dev.joblock.batch;

import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobLockService;
import dev.joblock.JobPatterns;
import dev.joblock.JobRun;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Lets a guarded Batch job be launched on one node at a time: asks for the lock before the launcher writes anything, and
 * releases it when the execution has ended, also where that is on another thread.
 *
 * <p>Guarded is a job that a pattern of {@link #setJobs} names, or a {@link JobLockPolicy} by a pattern that begins with
 * {@code batch:}. A launch that is denied, by the lock or by the job repository, ends with Batch's own
 * {@code JobExecutionAlreadyRunningException} and has written no row; so does one for which the store is down.
 * {@link GuardedLaunchers} puts this in front of the launchers.
 *
 * <p>Thread-safe once it is set up.
 */
public class BatchGuard implements BeanFactoryAware, SmartInitializingSingleton {

    private final JobLockService service;
    private final JobLockPolicies policies;
    private final BatchRuns runs;
    private final BatchLog log = new BatchLog();
    private final Launches launches = new Launches(this);
    private JobPatterns patterns = JobPatterns.parse("");
    private boolean enabled = true;
    private boolean dryRun;
    private boolean strict;
    private boolean recover;
    private @Nullable ListableBeanFactory beans;

    /**
     * A guard of the jobs that policies name.
     *
     * @param service gives the locks
     * @param policies how jobs are locked, and which
     * @param runs hears which executions run here
     */
    public BatchGuard(JobLockService service, JobLockPolicies policies, BatchRuns runs) {
        this.service = service;
        this.policies = policies;
        this.runs = runs;
    }

    /**
     * Which Batch jobs are guarded besides those that policies name.
     *
     * @param patterns names with commas between them, {@code *} for any characters, {@code !} in front excludes; blank for
     *     none
     * @throws IllegalArgumentException if a pattern is empty or all exclude
     */
    public final void setJobs(String patterns) {
        this.patterns = JobPatterns.parse(patterns);
    }

    /**
     * Switches guarding on or off. Off, nothing is asked.
     *
     * @param enabled true by default
     */
    public final void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    /**
     * Asks and logs, but holds no launch back.
     *
     * @param dryRun false by default
     */
    public final void setDryRun(boolean dryRun) {
        this.dryRun = dryRun;
    }

    /**
     * Whether a pattern that matches no job fails the start rather than being logged as a WARN.
     *
     * @param strict false by default
     */
    public final void setStrict(boolean strict) {
        this.strict = strict;
    }

    /**
     * Whether a launch that has won its lock marks a stale execution of another node FAILED and goes on, rather than
     * reporting it.
     *
     * @param recover false by default
     */
    public final void setRecover(boolean recover) {
        this.recover = recover;
    }

    /**
     * Gives the bean factory in which jobs are looked for. Called by Spring.
     *
     * @param beanFactory the factory of this bean
     */
    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = beanFactory instanceof ListableBeanFactory ? (ListableBeanFactory) beanFactory : null;
    }

    /**
     * Checks patterns and jobs against one another and logs one table. Called by Spring.
     *
     * @throws IllegalStateException if a guarded job has an incrementer and is to get the slot as parameter; or if strict
     *     and a pattern matches no job
     */
    @Override
    public void afterSingletonsInstantiated() {
        if (beans != null && enabled) {
            new BatchStartUp(this, beans).run(strict);
        }
    }

    /** Launches a job under its lock, if it is guarded. */
    @Nullable
    Object launch(Object job, Object parameters, LaunchCall call) throws Throwable {
        return enabled ? launches.launch(job, parameters, call) : call.proceed(job, parameters);
    }

    boolean guards(String job) {
        return reason(job).isPresent();
    }

    /** What makes a job guarded, or empty if it is not. A policy goes before the property. */
    Optional<String> reason(String job) {
        String name = JobPatterns.BATCH + job;
        Optional<JobLockPolicy> policy = policies.find(name);
        if (policy.isPresent()) {
            return policy.get().jobs().match(name).map(pattern -> "policy '" + pattern + "'");
        }
        return patterns.match(job).map(pattern -> "jobs '" + pattern + "'");
    }

    /** The patterns that mean Batch jobs, as they mean names of jobs. */
    Set<String> patterns() {
        Set<String> all = new LinkedHashSet<>(patterns.included());
        for (JobLockPolicy policy : policies.all()) {
            for (String pattern : policy.jobs().included()) {
                if (pattern.startsWith(JobPatterns.BATCH)) {
                    all.add(pattern.substring(JobPatterns.BATCH.length()));
                }
            }
        }
        return all;
    }

    JobLockPolicy policyFor(String job) {
        return policies.policyFor(JobPatterns.BATCH + job);
    }

    /** The run that asks for the lock of a job with these parameters. */
    JobRun run(String job, Object parameters) {
        String lockName = policyFor(job).isJobExclusive() ? LockNames.ofJob(job) : LockNames.of(job, parameters);
        return JobRun.exclusive(JobPatterns.BATCH + job).withLockName(lockName).beforeStart();
    }

    /** The name of the lock that a run asks for. */
    String lockName(JobRun run) {
        return policies.policyFor(run.job()).lockName().orElse(run.lockName());
    }

    JobLockService service() {
        return service;
    }

    BatchRuns runs() {
        return runs;
    }

    BatchLog log() {
        return log;
    }

    boolean recovers() {
        return recover;
    }

    boolean isEnabled() {
        return enabled;
    }

    boolean isDryRun() {
        return dryRun;
    }

    @Nullable
    ListableBeanFactory beans() {
        return beans;
    }

    /** Where executions of a launcher are written; the one repository of the context if the launcher does not say. */
    @Nullable
    JobRepository repository(@Nullable JobRepository ofLauncher) {
        return ofLauncher != null || beans == null
                ? ofLauncher
                : beans.getBeanProvider(JobRepository.class).getIfUnique();
    }
}
