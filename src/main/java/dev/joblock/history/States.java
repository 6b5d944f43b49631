package dev.joblock.history;

import dev.joblock.HistoryStore;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobState;
import dev.joblock.JobStates;
import dev.joblock.JobSummary;
import dev.joblock.LockView;
import dev.joblock.LockViews;
import dev.joblock.NodeInfo;
import dev.joblock.Nodes;
import dev.joblock.RegisteredJob;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Puts together what nodes, locks and ledger know of each job. Keeps nothing; thread-safe. */
public final class States implements JobStates {

    private final @Nullable HistoryStore history;
    private final @Nullable LockViews locks;
    private final Nodes nodes;
    private final JobLockPolicies policies;

    /**
     * States.
     *
     * @param history the ledger's store; null if none is kept
     * @param locks looks at locks; null where guarding is switched off
     * @param nodes the nodes
     * @param policies how jobs are locked
     */
    public States(@Nullable HistoryStore history, @Nullable LockViews locks, Nodes nodes, JobLockPolicies policies) {
        this.history = history;
        this.locks = locks;
        this.nodes = nodes;
        this.policies = policies;
    }

    @Override
    public List<JobState> states() {
        Map<String, String> lockNames = new TreeMap<>();
        Map<String, JobSummary> summaries = new TreeMap<>();
        for (NodeInfo node : nodes.nodes()) {
            for (RegisteredJob job : node.jobs()) {
                if (job.isGuarded()) {
                    lockNames.put(job.job(), job.lockName());
                }
            }
        }
        List<JobSummary> known = history == null ? Collections.emptyList() : history.summaries();
        for (JobSummary summary : known) {
            summaries.put(summary.job(), summary);
            lockNames.putIfAbsent(summary.job(), summary.lockName());
        }
        List<JobState> states = new ArrayList<>();
        lockNames.forEach((job, lockName) -> states.add(state(job, lockName, summaries.get(job))));
        return states;
    }

    @Override
    public JobState state(String job) {
        JobSummary summary = history == null ? null : history.summary(job).orElse(null);
        String lockName = summary == null ? job : summary.lockName();
        for (NodeInfo node : nodes.nodes()) {
            for (RegisteredJob registered : node.jobs()) {
                if (registered.job().equals(job)) {
                    lockName = registered.lockName();
                }
            }
        }
        return state(job, lockName, summary);
    }

    private JobState state(String job, String recordedLockName, @Nullable JobSummary summary) {
        JobLockPolicy policy = policies.policyFor(job);
        String lockName = policy.lockName().orElse(recordedLockName);
        LockView lock = locks == null ? LockView.free(lockName) : locks.view(lockName, policy.mode());
        return new JobState(job, lock, summary);
    }
}
