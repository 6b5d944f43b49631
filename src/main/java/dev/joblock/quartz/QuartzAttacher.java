package dev.joblock.quartz;

import dev.joblock.JobCatalog;
import dev.joblock.JobStarter;
import dev.joblock.RegisteredJob;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Attaches the listener to every scheduler of the context, its ancestors and, as they start, its children; after all
 * singletons are there and before the schedulers start. Then it logs one table: job, trigger, lane, guarded or not and why,
 * mode, lease, retry and such, next slot.
 *
 * <p>A scheduler to which a listener of this kit was wired by hand keeps that one. One on a clustered job store is left
 * alone with a WARN, since there Quartz itself fires each slot on one node only. The start fails if jobs or triggers with
 * generated names could not be told apart; and, if {@link #setStrict strict}, if a pattern matches no job.
 *
 * <p>For the threads that start and close contexts.
 */
public class QuartzAttacher
        implements BeanFactoryAware,
                SmartInitializingSingleton,
                ApplicationListener<ContextRefreshedEvent>,
                DisposableBean,
                JobCatalog,
                JobStarter {

    private static final Logger LOG = LoggerFactory.getLogger(QuartzAttacher.class);

    private final JobLockQuartzListener listener;
    private final Map<Scheduler, JobLockQuartzListener> attached = Collections.synchronizedMap(new IdentityHashMap<>());
    private final Catalog catalog = new Catalog(attached);
    private @Nullable BeanFactory beanFactory;
    private boolean strict;
    private boolean patternsChecked;

    /**
     * An attacher.
     *
     * @param listener what it attaches
     */
    public QuartzAttacher(JobLockQuartzListener listener) {
        this.listener = listener;
        listener.selfCheck().leaveToAttacher();
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
     * Gives the bean factory whose schedulers are guarded. Called by Spring.
     *
     * @param beanFactory the factory of this bean
     */
    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    /**
     * Attaches the listener. Called by Spring.
     *
     * @throws IllegalStateException if a listener that was wired by hand has one role only, if generated names are
     *     ambiguous, or if strict and a pattern matches no job
     */
    @Override
    public void afterSingletonsInstantiated() {
        if (beanFactory != null) {
            attachTo(Schedulers.of(beanFactory));
        }
    }

    /**
     * Attaches the listener to the schedulers of a child context. Called by Spring.
     *
     * @param event tells that a context has started, which may be a child
     * @throws IllegalStateException as {@link #afterSingletonsInstantiated} does
     */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        ApplicationContext context = event.getApplicationContext();
        if (context.getAutowireCapableBeanFactory() != beanFactory) {
            Set<Scheduler> schedulers = Schedulers.of(context);
            schedulers.removeAll(new ArrayList<>(attached.keySet()));
            attachTo(schedulers);
        } else if (!patternsChecked && !listener.guard().patterns().isEmpty()) {
            LOG.info(
                    "There is no Quartz scheduler in this context; one in a child context is guarded when that starts");
        }
    }

    private void attachTo(Set<Scheduler> schedulers) {
        if (schedulers.isEmpty()) {
            return;
        }
        forgetEnded();
        StartUp startUp = new StartUp(strict);
        for (Scheduler scheduler : schedulers) {
            try {
                attachTo(scheduler, startUp);
            } catch (SchedulerException e) {
                LOG.error("Joblock could not be attached to scheduler {}; its jobs run unguarded", scheduler, e);
            }
        }
        startUp.finish(!patternsChecked);
        patternsChecked = true;
    }

    /** Child contexts may come and go while this one lives. */
    private void forgetEnded() {
        for (Scheduler scheduler : attached()) {
            try {
                if (scheduler.isShutdown()) {
                    attached.remove(scheduler);
                }
            } catch (SchedulerException e) {
                LOG.debug("Scheduler {} does not say whether it has ended", scheduler, e);
            }
        }
    }

    private void attachTo(Scheduler scheduler, StartUp startUp) throws SchedulerException {
        if (scheduler.getMetaData().isJobStoreClustered()) {
            LOG.warn(
                    "Scheduler '{}' has a clustered job store, in which Quartz fires each slot on one node only; Joblock leaves"
                            + " it alone",
                    scheduler.getSchedulerName());
            return;
        }
        List<JobLockQuartzListener> wired = Wiring.find(scheduler);
        JobLockQuartzListener chosen = wired.isEmpty() || wired.contains(listener) ? listener : wired.get(0);
        if (chosen != listener) {
            Wiring.requireBothRoles(scheduler, chosen);
        }
        if (scheduler.isStarted() && wired.isEmpty()) {
            LOG.warn(
                    "Scheduler '{}' was running before Joblock was attached to it; earlier fires were not guarded",
                    scheduler.getSchedulerName());
        }
        Wiring.attach(scheduler, chosen);
        attached.put(scheduler, chosen);
        startUp.add(scheduler, chosen);
    }

    @Override
    public List<RegisteredJob> jobs() {
        return catalog.jobs();
    }

    @Override
    public int threads() {
        return catalog.threads();
    }

    @Override
    public int busyThreads() {
        return catalog.busyThreads();
    }

    @Override
    public boolean start(String job, String by) {
        return ManualStart.start(attached(), job, by);
    }

    /** The schedulers as they are now. */
    List<Scheduler> attached() {
        synchronized (attached) {
            return new ArrayList<>(attached.keySet());
        }
    }

    /** Detaches from schedulers that go on without this context. Called by Spring. */
    @Override
    public void destroy() {
        for (Map.Entry<Scheduler, JobLockQuartzListener> entry : new ArrayList<>(attached.entrySet())) {
            try {
                if (entry.getKey().isStarted()) {
                    Wiring.detach(entry.getKey(), entry.getValue());
                }
            } catch (SchedulerException e) {
                LOG.debug("Joblock could not be detached from scheduler {}", entry.getKey(), e);
            }
        }
        attached.clear();
    }
}
