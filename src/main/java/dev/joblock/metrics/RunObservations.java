package dev.joblock.metrics;

import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.RunObserver;
import dev.joblock.Slot;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Observes each run that has a lock, in the one {@link ObservationRegistry} bean of the application, or its primary one.
 *
 * <p>The observation {@code joblock.run} starts when the job begins on its thread and stops when the run has ended. Its scope is
 * open on each thread that works for the run. Low-cardinality key values: {@code job} (at most 1,000 by name, the others are
 * {@code other}), {@code origin} and, at the end, {@code outcome}: ran, failed or lost. High-cardinality ones: {@code slot},
 * {@code node} and {@code fencing.token}. The {@link JobRun} is in its context, for predicates. Thread-safe.
 */
public final class RunObservations implements RunObserver, BeanFactoryAware, SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(RunObservations.class);
    private static final String NAME = "joblock.run";
    private static final String OUTCOME = "outcome";
    private static final String NONE = "none";

    private final JobNames jobs = new JobNames();
    // Weak: of a run that never ends nothing is kept once nobody has its lock any more.
    private final Map<JobLock, Observed> observed = Collections.synchronizedMap(new WeakHashMap<>());
    private @Nullable BeanFactory beans;
    private volatile ObservationRegistry registry = ObservationRegistry.NOOP;

    /** Observes nothing before all beans are there. */
    public RunObservations() {}

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = beanFactory;
    }

    @Override
    public void afterSingletonsInstantiated() {
        ObservationRegistry found = beans == null
                ? null
                : beans.getBeanProvider(ObservationRegistry.class).getIfUnique();
        if (found == null) {
            LOG.debug(
                    "Joblock observes no runs: there is no ObservationRegistry bean, or more than one and none primary");
        } else {
            registry = found;
        }
    }

    @Override
    public Entry enter(JobLock lock) {
        OnThread entry = new OnThread(lock);
        Observed run = observed.get(lock);
        if (run != null) {
            entry.open(run);
        }
        return entry;
    }

    @Override
    public void ended(JobLock lock, boolean lost, @Nullable Throwable failure) {
        Observed run = observed.remove(lock);
        if (run != null) {
            run.stop(lost ? "lost" : failure == null ? "ran" : "failed", failure);
        }
    }

    private Observed start(JobLock lock) {
        JobRun run = lock.run();
        String job = jobs.of(run.job());
        Observation.Context context = new Observation.Context();
        context.put(JobRun.class, run);
        Observation observation = Observation.createNotStarted(NAME, () -> context, registry)
                .contextualName("job " + job)
                .lowCardinalityKeyValue("job", job)
                .lowCardinalityKeyValue("origin", run.origin().toString())
                .lowCardinalityKeyValue(OUTCOME, NONE)
                .highCardinalityKeyValue("slot", run.slot().map(Slot::toString).orElse(NONE))
                .highCardinalityKeyValue("node", lock.holder().node())
                .highCardinalityKeyValue("fencing.token", Long.toString(lock.fencingToken()));
        Observed started = new Observed(observation, registry);
        // Before the start, since a handler that fails there is to hear of the end all the same.
        observed.put(lock, started);
        observation.start();
        return started;
    }

    /** An observation, and the threads on which its scope is open. */
    private static final class Observed {
        private final Observation observation;
        private final ObservationRegistry registry;
        private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

        Observed(Observation observation, ObservationRegistry registry) {
            this.observation = observation;
            this.registry = registry;
        }

        void stop(String outcome, @Nullable Throwable failure) {
            observation.lowCardinalityKeyValue(OUTCOME, outcome);
            try {
                if (failure != null) {
                    observation.error(failure);
                }
            } finally {
                observation.stop();
            }
        }
    }

    /** One entry of a thread. Where the run is entered again on it, the scope that is open stays the one. */
    private final class OnThread implements Entry {
        private final JobLock lock;
        private @Nullable Observed run;
        private Observation.@Nullable Scope before;
        private Observation.@Nullable Scope scope;

        OnThread(JobLock lock) {
            this.lock = lock;
        }

        @Override
        public void begun() {
            if (!registry.isNoop() && !observed.containsKey(lock)) {
                open(start(lock));
            }
        }

        void open(Observed entered) {
            if (entered.threads.add(Thread.currentThread())) {
                run = entered;
                before = entered.registry.getCurrentObservationScope();
                scope = entered.observation.openScope();
            }
        }

        @Override
        public void left() {
            if (run == null) {
                return;
            }
            run.threads.remove(Thread.currentThread());
            try {
                if (scope != null) {
                    scope.close();
                }
            } finally {
                // A handler that fails keeps Micrometer from doing it, at the start as at the end.
                run.registry.setCurrentObservationScope(before);
            }
        }
    }
}
