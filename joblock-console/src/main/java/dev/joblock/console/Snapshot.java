package dev.joblock.console;

import dev.joblock.HistoryEntry;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobState;
import dev.joblock.NodeInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as it was read at one moment.
 *
 * @param now when, in Redis time
 * @param ownNode the id of the node that serves the page
 * @param problem why the store could not answer, in which case the rest is as it was read last; null if it did
 * @param nodes the nodes
 * @param states the jobs
 * @param policies the rules of each job
 * @param entries the newest entries of the ledger
 */
record Snapshot(
        Instant now,
        String ownNode,
        @Nullable String problem,
        List<NodeInfo> nodes,
        List<JobState> states,
        Map<String, JobLockPolicy> policies,
        List<HistoryEntry> entries) {

    Snapshot withProblem(String sentence) {
        return new Snapshot(now, ownNode, sentence, nodes, states, policies, entries);
    }
}
