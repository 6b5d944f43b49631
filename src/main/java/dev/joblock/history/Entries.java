package dev.joblock.history;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.HistoryEntry;
import dev.joblock.HistoryOutcome;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import dev.joblock.Slot;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Turns events into entries. A run is named by its lock and token, so that all that is said of it, by whichever node, is one
 * entry; a denial has a name that nobody else has. Thread-safe.
 */
final class Entries {

    private final String nodeId;
    private final String nonce = UUID.randomUUID().toString().substring(0, 8);
    private final AtomicLong denials = new AtomicLong();

    Entries(String nodeId) {
        this.nodeId = nodeId;
    }

    HistoryEntry.Builder denied(JobRun run, Denied denied) {
        HistoryOutcome outcome =
                denied.reason() == DenialReason.STORE_DOWN ? HistoryOutcome.STORE_DOWN : HistoryOutcome.DENIED;
        return denied("d" + denials.incrementAndGet() + "-" + nonce, outcome, run, denied);
    }

    /** A slot that nobody was granted; named by the slot, so that whoever says it, it is one entry. */
    HistoryEntry.Builder overrun(JobRun run, Denied denied) {
        long scheduled = run.slot().map(slot -> slot.scheduled().toEpochMilli()).orElse(0L);
        String id = "v" + scheduled + "-" + uuid(run.lockName() + " " + run.lane());
        return denied(id, HistoryOutcome.OVERRUN, run, denied);
    }

    private HistoryEntry.Builder denied(String id, HistoryOutcome outcome, JobRun run, Denied denied) {
        RecordedRun other = denied.other().orElse(null);
        return of(run, HistoryEntry.builder(id, run.job(), nodeId, outcome))
                .lockName(run.lockName())
                .denied(denied.reason(), other == null ? null : other.node(), other == null ? null : other.since())
                .detail(denied.toString());
    }

    HistoryEntry.Builder ended(JobLock lock, @Nullable Throwable failure, @Nullable String whyLost) {
        HistoryOutcome how = failure == null ? HistoryOutcome.RAN : HistoryOutcome.FAILED;
        return run(lock, whyLost == null ? how : HistoryOutcome.LOST)
                .errorClass(failure == null ? null : failure.getClass().getName())
                .detail(whyLost == null ? "" : whyLost);
    }

    HistoryEntry.Builder lost(JobLock lock, String why) {
        return run(lock, HistoryOutcome.LOST).detail(why);
    }

    HistoryEntry.Builder unclaimed(JobLock lock) {
        return run(lock, HistoryOutcome.UNCLAIMED).granted(null, lock.fencingToken());
    }

    /** The run of a node that went without a word. */
    HistoryEntry.Builder abandoned(JobLock by, RecordedRun run) {
        boolean own = by.lockName().equals(by.run().lockName())
                || run.lane().equals(by.run().lane());
        String job = own ? by.run().job() : by.lockName();
        return HistoryEntry.builder(id(by.lockName(), run.fencingToken()), job, run.node(), HistoryOutcome.ABANDONED)
                .lockName(by.lockName())
                .slot(run.lane(), run.scheduled().orElse(null))
                .origin(run.lane().isEmpty() ? JobRun.Origin.MANUAL : JobRun.Origin.SCHEDULED, null)
                .granted(run.since(), run.fencingToken())
                .detail("taken over by " + by.holder().node() + ", token " + by.fencingToken());
    }

    private HistoryEntry.Builder run(JobLock lock, HistoryOutcome outcome) {
        String id = id(lock.lockName(), lock.fencingToken());
        return of(lock.run(), HistoryEntry.builder(id, lock.run().job(), nodeId, outcome))
                .lockName(lock.lockName())
                .granted(lock.since(), lock.fencingToken());
    }

    private static HistoryEntry.Builder of(JobRun run, HistoryEntry.Builder entry) {
        return entry.slot(run.lane(), run.slot().map(Slot::scheduled).orElse(null))
                .origin(run.origin(), run.by().orElse(null));
    }

    /** Short, printable, and equal on all nodes. */
    private static String id(String lockName, long token) {
        return "r" + token + "-" + uuid(lockName);
    }

    private static UUID uuid(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }
}
