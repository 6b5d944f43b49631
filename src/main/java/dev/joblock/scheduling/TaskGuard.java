package dev.joblock.scheduling;

import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobLockService;
import dev.joblock.JobPatterns;
import dev.joblock.JobRun;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Says which scheduled tasks are guarded: those that a {@link JobLockPolicy} names with the prefix {@code task:}, and those
 * that a pattern of {@link #setTasks} names without it. A task is called {@code bean.method}.
 *
 * <p>To be set up before the context has started; then safe for many threads. Once the context closes, guarded tasks are no
 * longer run, so that the end of those that are running can be waited for.
 */
public class TaskGuard implements BeanFactoryAware, ApplicationListener<ContextClosedEvent> {

    /** What a task's name begins with where names of other jobs stand beside it. */
    static final String PREFIX = "task:";

    private final JobLockPolicies policies;
    private final String serviceName;
    private final FireLog log = new FireLog();
    private JobPatterns patterns = JobPatterns.parse("");
    private boolean enabled = true;
    private boolean dryRun;
    private boolean strict;
    private @Nullable BeanFactory beans;
    private @Nullable LateTasks late;
    private volatile @Nullable JobLockService service;
    private volatile boolean closing;

    /**
     * A guard.
     *
     * @param policies how jobs are locked, and which
     * @param serviceName the name of the {@code JobLockService} bean, which is fetched when the first task is due
     */
    public TaskGuard(JobLockPolicies policies, String serviceName) {
        this.policies = policies;
        this.serviceName = serviceName;
    }

    /**
     * Which tasks are guarded besides those that policies name.
     *
     * @param patterns names {@code bean.method} with commas between them, {@code *} for any characters, {@code !} in front
     *     excludes; blank for none
     * @throws IllegalArgumentException if a pattern is empty or all exclude
     */
    public final void setTasks(String patterns) {
        this.patterns = JobPatterns.parse(patterns);
    }

    /**
     * Switches guarding on or off. Off, nothing is asked and every task runs on every node.
     *
     * @param enabled true by default
     */
    public final void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    /**
     * Whether locks are asked for and logged, and nothing is held back.
     *
     * @param dryRun false by default
     */
    public final void setDryRun(boolean dryRun) {
        this.dryRun = dryRun;
    }

    /**
     * Whether a pattern that matches no task fails the start rather than being logged as a WARN.
     *
     * @param strict false by default
     */
    public final void setStrict(boolean strict) {
        this.strict = strict;
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = beanFactory;
        this.late = new LateTasks(beanFactory, this::isClosing);
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        ApplicationContext context = event.getApplicationContext();
        if (context.getAutowireCapableBeanFactory() == beans) {
            closing = true;
        }
    }

    JobLockService service() {
        JobLockService known = service;
        if (known == null) {
            if (beans == null) {
                throw new IllegalStateException("This guard is no bean; declare it in XML");
            }
            known = beans.getBean(serviceName, JobLockService.class);
            service = known;
        }
        return known;
    }

    FireLog log() {
        return log;
    }

    /** Who starts what is granted later; null where this is no bean. */
    @Nullable
    LateTasks late() {
        return late;
    }

    JobLockPolicies policies() {
        return policies;
    }

    boolean isEnabled() {
        return enabled;
    }

    boolean isDryRun() {
        return dryRun;
    }

    boolean isStrict() {
        return strict;
    }

    boolean isClosing() {
        return closing;
    }

    /**
     * Checks what an annotation says against the defaults.
     *
     * @throws IllegalStateException with a sentence if both contradict one another
     */
    void requireValid(LockedMethod annotated) {
        try {
            policies.policyFor(JobRun.exclusive(annotated.id()).withPolicy(annotated.policy()));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("@JobLocked on " + annotated + ": " + e.getMessage());
        }
    }

    /** What makes a task guarded, or empty if it is not. A policy goes before the property. */
    Optional<String> reason(String task) {
        String job = PREFIX + task;
        Optional<JobLockPolicy> policy = policies.find(job);
        if (policy.isPresent()) {
            return policy.get().jobs().match(job).map(pattern -> "policy '" + pattern + "'");
        }
        return patterns.match(task).map(pattern -> "tasks '" + pattern + "'");
    }

    /** Whether neither a policy nor a pattern names tasks. */
    boolean isEmpty() {
        return patterns().isEmpty();
    }

    /** All patterns that include tasks, as they match the name with its prefix. */
    Set<String> patterns() {
        Set<String> all = new LinkedHashSet<>();
        for (String pattern : patterns.included()) {
            all.add(PREFIX + pattern);
        }
        for (JobLockPolicy policy : policies.all()) {
            for (String pattern : policy.jobs().included()) {
                if (pattern.startsWith(PREFIX)) {
                    all.add(pattern);
                }
            }
        }
        return all;
    }
}
