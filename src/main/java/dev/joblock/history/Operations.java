package dev.joblock.history;

import dev.joblock.HistoryEntry;
import dev.joblock.HistoryOutcome;
import dev.joblock.HistoryStore;
import dev.joblock.Holder;
import dev.joblock.JobLockException;
import dev.joblock.JobLockOperations;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobRun;
import dev.joblock.JobStarter;
import dev.joblock.JobState;
import dev.joblock.JobStates;
import dev.joblock.LockMode;
import dev.joblock.LockStore;
import dev.joblock.LockView;
import dev.joblock.LockViews;
import dev.joblock.OperationResult;
import dev.joblock.RecordedRun;
import dev.joblock.StoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Runs and releases jobs for people. Every call is logged with the person's name, and recorded. Thread-safe; keeps nothing.
 */
public final class Operations implements JobLockOperations, BeanFactoryAware {

    private static final Logger LOG = LoggerFactory.getLogger(Operations.class);
    private static final Duration SAME_REQUEST = Duration.ofSeconds(2);

    private final JobStates states;
    private final JobLockPolicies policies;
    private final @Nullable LockViews locks;
    private final @Nullable HistoryStore history;
    private final String nodeId;
    private Map<String, String> stores = Collections.emptyMap();
    private @Nullable BeanFactory beans;

    /**
     * Operations.
     *
     * @param states the states of jobs
     * @param policies how jobs are locked
     * @param locks looks at locks; null where guarding is switched off
     * @param history the ledger's store; null if none is kept
     * @param nodeId the id of this node
     */
    public Operations(
            JobStates states,
            JobLockPolicies policies,
            @Nullable LockViews locks,
            @Nullable HistoryStore history,
            String nodeId) {
        this.states = states;
        this.policies = policies;
        this.locks = locks;
        this.history = history;
        this.nodeId = nodeId;
    }

    /**
     * The store of each mode.
     *
     * @param stores modes such as {@code hash-timestamp}, each with the name of a {@link LockStore} bean
     */
    public void setStores(Map<String, String> stores) {
        this.stores = stores;
    }

    /**
     * Gives the bean factory with the stores and the {@link JobStarter} beans. Called by Spring.
     *
     * @param beanFactory the factory of this bean
     */
    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = beanFactory;
    }

    @Override
    public OperationResult runNow(String job, String by) {
        requireName(job, by);
        OperationResult result;
        try {
            result = start(job, by);
        } catch (JobLockException e) {
            result = OperationResult.refused("'" + job + "' is not started: " + e.getMessage());
        }
        LOG.info("Run of '{}' asked for by '{}': {}", job, by, result);
        return result;
    }

    private OperationResult start(String job, String by) {
        if (locks != null) {
            RecordedRun run = states.state(job).lock().run().orElse(null);
            if (run != null) {
                return OperationResult.refused(
                        "'" + job + "' is not started: it runs on node '" + run.node() + "' since " + run.since());
            }
            if (!locks.isFirst("run " + job, by, SAME_REQUEST)) {
                return OperationResult.refused("'" + job + "' is not started: the same was asked for a moment ago");
            }
        }
        for (JobStarter starter : starters()) {
            if (starter.start(job, by)) {
                return OperationResult.done("'" + job + "' is started on node '" + nodeId + "'");
            }
        }
        return OperationResult.refused("'" + job + "' is not started: no scheduler of this node has such a job");
    }

    @Override
    public OperationResult release(String job, String by) {
        requireName(job, by);
        OperationResult result;
        try {
            result = end(job, by);
        } catch (StoreException e) {
            result = OperationResult.refused("The lock of '" + job + "' is not released: " + e.getMessage());
        }
        LOG.warn("Release of the lock of '{}' asked for by '{}': {}", job, by, result);
        return result;
    }

    private OperationResult end(String job, String by) {
        JobState state = states.state(job);
        LockView lock = state.lock();
        LockMode mode = policies.policyFor(job).mode();
        String value = lock.valueWithoutExpiry().orElse(null);
        if (value != null && locks != null) {
            if (!locks.removeWithoutExpiry(lock.lockName(), value)) {
                return OperationResult.refused("The lock of '" + job + "' has changed meanwhile; look again");
            }
            record(job, lock, null, by, "a lock without expiry, value '" + value + "'");
            return OperationResult.done(
                    "The lock of '" + job + "' had no expiry and the value '" + value + "'; it is removed");
        }
        Holder holder = lock.holder().orElse(null);
        RecordedRun run = lock.run().orElse(null);
        if (holder == null || run == null) {
            return OperationResult.refused("The lock of '" + job + "' is not released: "
                    + lock.problem().orElse("no run of ours holds it"));
        }
        if (!store(mode).release(lock.lockName(), holder)) {
            return OperationResult.refused("The lock of '" + job + "' has changed meanwhile; look again");
        }
        record(job, lock, run, by, "the run of node '" + run.node() + "' was told lost");
        return OperationResult.done("The lock of '" + job + "' is released; the run of node '" + run.node() + "' since "
                + run.since() + " is told that it is lost");
    }

    private void record(String job, LockView lock, @Nullable RecordedRun run, String by, String detail) {
        if (history == null) {
            return;
        }
        HistoryEntry.Builder entry = HistoryEntry.builder("o" + UUID.randomUUID(), job, nodeId, HistoryOutcome.RELEASED)
                .lockName(lock.lockName())
                .origin(JobRun.Origin.MANUAL, by)
                .detail(detail);
        if (run != null) {
            entry.slot(run.lane(), run.scheduled().orElse(null)).denied(null, run.node(), run.since());
        }
        try {
            history.add(Collections.singletonList(entry.at(history.time()).build()));
        } catch (StoreException e) {
            LOG.warn("The release of '{}' by '{}' could not be recorded: {}", job, by, e.getMessage());
        }
    }

    private LockStore store(LockMode mode) {
        String name = stores.get(mode.toString());
        if (beans == null || name == null) {
            throw new IllegalStateException(
                    "The mode '" + mode + "' has no store; name one in 'stores', which has " + stores.keySet());
        }
        return beans.getBean(name, LockStore.class);
    }

    private Collection<JobStarter> starters() {
        return beans instanceof ListableBeanFactory
                ? BeanFactoryUtils.beansOfTypeIncludingAncestors(
                                (ListableBeanFactory) beans, JobStarter.class, true, false)
                        .values()
                : Collections.emptyList();
    }

    private static void requireName(String job, String by) {
        if (by.trim().isEmpty()) {
            throw new IllegalArgumentException(
                    "Who asks for '" + job + "' is blank; give the name of the person, which is recorded");
        }
    }
}
