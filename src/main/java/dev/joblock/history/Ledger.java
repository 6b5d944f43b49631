package dev.joblock.history;

import dev.joblock.Denied;
import dev.joblock.HistoryEntry;
import dev.joblock.HistoryPage;
import dev.joblock.HistoryQuery;
import dev.joblock.HistoryStore;
import dev.joblock.JobHistory;
import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;

/**
 * The ledger of this node: hears of every outcome and has it written behind the job's back, one entry for each fire on each
 * node. A lost run has its entry at once and again, complete, when it has ended.
 *
 * <p>Thread-safe. Costs the thread of the job nothing: events come on a thread of the engine's own.
 */
public final class Ledger implements JobHistory, JobLockListener, DisposableBean {

    /** So many entries wait while the store is away. */
    private static final int CAPACITY = 10_000;

    private final @Nullable HistoryStore store;
    private final @Nullable HistoryWriter writer;
    private final Entries entries;
    private volatile Consumer<List<HistoryEntry>> written = batch -> {};
    private final Map<JobLock, String> lost = new ConcurrentHashMap<>();

    /**
     * A ledger.
     *
     * @param store where it is kept; null if none is
     * @param nodeId the id of this node
     */
    public Ledger(@Nullable HistoryStore store, String nodeId) {
        this(store, nodeId, CAPACITY);
    }

    Ledger(@Nullable HistoryStore store, String nodeId, int capacity) {
        this.store = store;
        this.writer = store == null ? null : new HistoryWriter(store, capacity, this::tellWritten);
        this.entries = new Entries(nodeId);
    }

    @Override
    public HistoryPage find(HistoryQuery query) {
        return store == null ? new HistoryPage(Collections.emptyList(), null) : store.find(query);
    }

    @Override
    public void onDenied(JobRun run, Denied denied) {
        add(entries.denied(run, denied), false);
    }

    @Override
    public void onEnded(JobLock lock, @Nullable Throwable failure) {
        String whyLost = lost.remove(lock);
        HistoryEntry.Builder entry = entries.ended(lock, failure, whyLost);
        if (whyLost == null && writer != null) {
            // The event comes a moment later than what it tells of.
            writer.add(new Pending(entry, lock.since().plus(lock.heldFor())));
        } else {
            add(entry, true);
        }
    }

    @Override
    public void onLost(JobLock lock, String why) {
        if (writer != null) {
            lost.put(lock, why);
        }
        add(entries.lost(lock, why), false);
    }

    @Override
    public void onUnclaimed(JobLock lock) {
        add(entries.unclaimed(lock), false);
    }

    @Override
    public void onAbandoned(JobLock lock, RecordedRun abandoned) {
        add(entries.abandoned(lock, abandoned), false);
    }

    @Override
    public void onOverrun(JobRun run, Denied denied) {
        add(entries.overrun(run, denied), false);
    }

    /** Hears of entries when they are written, on the writer's thread. */
    void onWritten(Consumer<List<HistoryEntry>> listener) {
        written = listener;
    }

    private void tellWritten(List<HistoryEntry> batch) {
        written.accept(batch);
    }

    /**
     * How many entries wait to be written.
     *
     * @return a number that is near 0 while the store is well
     */
    public int waiting() {
        return writer == null ? 0 : writer.waiting();
    }

    /** Writes what waits, for two seconds at the most. */
    @Override
    public void destroy() {
        if (writer != null) {
            writer.close();
        }
    }

    private void add(HistoryEntry.Builder entry, boolean endsNow) {
        if (writer != null) {
            writer.add(new Pending(entry, endsNow, System.nanoTime()));
        }
    }
}
