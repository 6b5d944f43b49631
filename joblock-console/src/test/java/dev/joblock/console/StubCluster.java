package dev.joblock.console;

import dev.joblock.HistoryEntry;
import dev.joblock.HistoryOutcome;
import dev.joblock.HistoryPage;
import dev.joblock.HistoryQuery;
import dev.joblock.JobHistory;
import dev.joblock.JobLockOperations;
import dev.joblock.JobState;
import dev.joblock.JobStates;
import dev.joblock.JobSummary;
import dev.joblock.LockView;
import dev.joblock.NodeInfo;
import dev.joblock.Nodes;
import dev.joblock.OperationResult;
import dev.joblock.RecordedRun;
import dev.joblock.RegisteredJob;
import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A cluster that is what a test says: two nodes, some jobs, their entries. */
final class StubCluster implements JobHistory, Nodes, JobStates, JobLockOperations {

    static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    private final Set<String> jobs = new TreeSet<>();
    private final Map<String, LockView> locks = new TreeMap<>();
    private final List<HistoryEntry> entries = new CopyOnWriteArrayList<>();
    private final AtomicInteger reads = new AtomicInteger();
    final List<String> asked = new CopyOnWriteArrayList<>();
    volatile boolean away;
    volatile OperationResult answer = OperationResult.done("Started");

    StubCluster job(String... names) {
        jobs.addAll(List.of(names));
        return this;
    }

    StubCluster held(String job, String node) {
        jobs.add(job);
        RecordedRun run = new RecordedRun(node, "lane", NOW.minusSeconds(4), NOW.minusSeconds(4), 77);
        locks.put(job, LockView.held(job, run, "nonce", NOW.plusSeconds(26)));
        return this;
    }

    StubCluster add(HistoryEntry... some) {
        entries.addAll(List.of(some));
        return this;
    }

    int reads() {
        return reads.get();
    }

    static HistoryEntry ran(String id, String job, String node, Instant slot, long token) {
        return HistoryEntry.builder(id, job, node, HistoryOutcome.RAN)
                .at(slot.plusMillis(250))
                .slot("lane", slot)
                .granted(slot, token)
                .ended(slot.plusMillis(250))
                .build();
    }

    @Override
    public HistoryPage find(HistoryQuery query) {
        ask();
        List<HistoryEntry> found = new ArrayList<>(entries.stream()
                .filter(query::matches)
                .sorted(Comparator.comparing(HistoryEntry::at).reversed())
                .toList());
        if (query.after().isPresent()) {
            int seen = parse(query.after().get());
            found = found.subList(Math.min(seen, found.size()), found.size());
            return page(found, query.limit(), seen);
        }
        return page(found, query.limit(), 0);
    }

    private static HistoryPage page(List<HistoryEntry> found, int limit, int seen) {
        boolean more = found.size() > limit;
        @Nullable String next = more ? Integer.toString(seen + limit) : null;
        return new HistoryPage(more ? found.subList(0, limit) : found, next);
    }

    private static int parse(String token) {
        try {
            return Integer.parseInt(token);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + token + "' is no token of this ledger", e);
        }
    }

    @Override
    public List<NodeInfo> nodes() {
        ask();
        return List.of(node("alpha", true), node("beta", true), node("gamma", false));
    }

    private NodeInfo node(String id, boolean alive) {
        List<RegisteredJob> registered = jobs.stream()
                .map(job -> new RegisteredJob(
                        job, job, "cron", "0/5 * * * * ?", "UTC", true, NOW.plusSeconds(3), NOW.minusSeconds(2)))
                .toList();
        return new NodeInfo(
                id,
                "1.0",
                "/shop",
                "host-" + id,
                "UTC",
                NOW.minusSeconds(alive ? 2 : 90),
                alive,
                Duration.ZERO,
                10,
                1,
                registered,
                alive ? List.of() : List.of("<b>its clock</b> is ahead"));
    }

    @Override
    public boolean isRedisOutlier() {
        return false;
    }

    @Override
    public List<JobState> states() {
        ask();
        return jobs.stream().map(this::state).toList();
    }

    @Override
    public JobState state(String job) {
        ask();
        JobSummary summary = entries.stream()
                .filter(entry -> entry.job().equals(job) && entry.outcome().isRun())
                .reduce((first, second) -> second)
                .map(entry -> JobSummary.with(null, entry))
                .orElse(null);
        return new JobState(job, locks.getOrDefault(job, LockView.free(job)), summary);
    }

    @Override
    public OperationResult runNow(String job, String by) {
        asked.add("run " + job + " by " + by);
        return answer;
    }

    @Override
    public OperationResult release(String job, String by) {
        asked.add("release " + job + " by " + by);
        return answer;
    }

    private void ask() {
        reads.incrementAndGet();
        if (away) {
            throw new StoreException(
                    StoreFault.UNREACHABLE, false, "Redis at <localhost>:6379 refused the connection", null);
        }
    }
}
