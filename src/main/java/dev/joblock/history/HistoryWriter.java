package dev.joblock.history;

import dev.joblock.HistoryEntry;
import dev.joblock.HistoryStore;
import dev.joblock.StoreException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes entries in batches on one daemon thread, a moment after they came; a longer moment where they are many, since each
 * batch takes a core from the runs that go on. Where the store is away they are kept up to a bound; beyond it new ones are
 * dropped and counted. Whoever hands an entry over never waits.
 *
 * <p>States: open → closed ({@link #close}). Thread-safe.
 */
final class HistoryWriter {

    private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);
    private static final long LINGER_MILLIS = 100;
    private static final long BUSY_LINGER_MILLIS = 500;
    private static final long LONGEST_PAUSE_MILLIS = 5_000;
    private static final long CLOSE_MILLIS = 2_000;
    private static final int BATCH = 250;
    /** From so many entries in a batch on, the next one is collected for the longer moment. */
    private static final int BUSY = 100;

    private final HistoryStore store;
    private final int capacity;
    private final Consumer<List<HistoryEntry>> written;
    private final Deque<Pending> queue = new ArrayDeque<>();
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, task -> {
        Thread it = new Thread(task, "joblock-history");
        it.setDaemon(true);
        return it;
    });
    private boolean planned;
    private boolean failing;
    private long dropped;
    private long linger = LINGER_MILLIS;
    private long failurePause = LINGER_MILLIS;

    HistoryWriter(HistoryStore store, int capacity, Consumer<List<HistoryEntry>> written) {
        this.store = store;
        this.capacity = capacity;
        this.written = written;
    }

    synchronized void add(Pending entry) {
        if (queue.size() >= capacity) {
            if (dropped++ == 0) {
                LOG.warn(
                        "The history of Joblock drops new entries: {} wait already, since the store can't take them;"
                                + " jobs and locks go on",
                        capacity);
            }
            return;
        }
        queue.add(entry);
        plan(linger);
    }

    private synchronized void plan(long delay) {
        if (!planned) {
            planned = true;
            try {
                // What it ends with is told by write() itself.
                Object unused = thread.schedule(this::run, delay, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                LOG.debug("The history of Joblock is closed; an entry is not written");
            }
        }
    }

    private void run() {
        synchronized (this) {
            planned = false;
        }
        boolean ok;
        try {
            ok = write();
        } catch (RuntimeException e) {
            LOG.error("The history of Joblock failed; jobs and locks go on. Please report this", e);
            ok = false;
        }
        synchronized (this) {
            failurePause = ok ? LINGER_MILLIS : Math.min(2 * failurePause, LONGEST_PAUSE_MILLIS);
            if (!ok) {
                plan(failurePause);
            } else if (queue.size() >= BATCH) {
                plan(0);
            } else if (!queue.isEmpty()) {
                plan(linger);
            }
        }
    }

    /** Writes one batch; false if the store could not take it, which leaves it in the queue. */
    private boolean write() {
        List<Pending> batch = new ArrayList<>();
        synchronized (this) {
            for (Pending entry : queue) {
                if (batch.size() == BATCH) {
                    break;
                }
                batch.add(entry);
            }
        }
        if (batch.isEmpty()) {
            return true;
        }
        List<HistoryEntry> entries = new ArrayList<>();
        try {
            Instant now = store.time();
            long nanos = System.nanoTime();
            batch.forEach(entry -> entries.add(entry.at(now, nanos)));
            store.add(entries);
        } catch (StoreException e) {
            tellFailure(e);
            return false;
        }
        synchronized (this) {
            batch.forEach(entry -> queue.poll());
            linger = batch.size() < BUSY ? LINGER_MILLIS : BUSY_LINGER_MILLIS;
            tellRecovery();
        }
        written.accept(entries);
        return true;
    }

    private synchronized void tellFailure(StoreException e) {
        if (!failing) {
            failing = true;
            LOG.warn(
                    "The history of Joblock can't be written and is tried again; up to {} entries wait: {}",
                    capacity,
                    e.getMessage());
        }
    }

    private void tellRecovery() {
        if (failing || dropped > 0) {
            LOG.info("The history of Joblock is written again; {} entries were dropped", dropped);
        }
        failing = false;
        dropped = 0;
    }

    synchronized int waiting() {
        return queue.size();
    }

    /** Writes what waits, for two seconds at the most, and ends the thread, which may take two more. */
    void close() {
        try {
            thread.submit(() -> {
                        while (waiting() > 0 && write()) {
                            // the next batch
                        }
                    })
                    .get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            LOG.debug("The history of Joblock could not be written at close", e);
        }
        thread.shutdownNow();
        awaitEnd();
        if (waiting() > 0) {
            LOG.warn("The history of Joblock closes with {} entries that were not written", waiting());
        }
    }

    /** A read that Redis does not answer heeds no interrupt; a thread that is still in it would be a leak to the container. */
    private void awaitEnd() {
        try {
            if (!thread.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.debug("The thread of the history of Joblock still waits for its store; it ends when that answers");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
