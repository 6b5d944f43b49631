package dev.joblock.history;

import dev.joblock.HistoryEntry;
import java.time.Instant;

/** An entry that waits to be written. Its time becomes known then: the store's time, less how long it has waited. Immutable. */
final class Pending {

    private final HistoryEntry.Builder entry;
    private final boolean endsNow;
    private final long nanos;

    Pending(HistoryEntry.Builder entry, boolean endsNow, long nanos) {
        this.entry = entry;
        this.endsNow = endsNow;
        this.nanos = nanos;
    }

    HistoryEntry at(Instant storeTime, long nanosNow) {
        Instant at = Instant.ofEpochMilli(storeTime.toEpochMilli() - Math.max(0, nanosNow - nanos) / 1_000_000);
        return entry.at(at).ended(endsNow ? at : null).build();
    }
}
