package dev.joblock.history;

import dev.joblock.HistoryEntry;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An entry that waits to be written. Immutable. */
final class Pending {

    private final HistoryEntry.Builder entry;
    private final boolean endsNow;
    private final @Nullable Instant at;
    private final long nanos;

    /** Its time becomes known at the write: the store's time, less how long it has waited. */
    Pending(HistoryEntry.Builder entry, boolean endsNow, long nanos) {
        this.entry = entry;
        this.endsNow = endsNow;
        this.at = null;
        this.nanos = nanos;
    }

    /** A run that ended at a time of the store. */
    Pending(HistoryEntry.Builder entry, Instant ended) {
        this.entry = entry;
        this.endsNow = true;
        this.at = ended;
        this.nanos = 0;
    }

    HistoryEntry at(Instant storeTime, long nanosNow) {
        Instant time = at != null
                ? at
                : Instant.ofEpochMilli(storeTime.toEpochMilli() - Math.max(0, nanosNow - nanos) / 1_000_000);
        return entry.at(time).ended(endsNow ? time : null).build();
    }
}
