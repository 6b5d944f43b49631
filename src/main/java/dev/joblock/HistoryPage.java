package dev.joblock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A page of the ledger, newest entry first. Immutable and thread-safe. */
public final class HistoryPage {

    private final List<HistoryEntry> entries;
    private final @Nullable String next;

    /**
     * A page.
     *
     * @param entries its entries, newest first
     * @param next the token of the page that follows; null if none does
     */
    public HistoryPage(List<HistoryEntry> entries, @Nullable String next) {
        this.entries = Collections.unmodifiableList(new ArrayList<>(entries));
        this.next = next;
    }

    /**
     * The entries.
     *
     * @return an unmodifiable list, newest first
     */
    public List<HistoryEntry> entries() {
        return entries;
    }

    /**
     * What to give to {@link HistoryQuery#after} for the page that follows.
     *
     * @return a short text that may stand in an address once it is encoded; empty if there is no more
     */
    public Optional<String> next() {
        return Optional.ofNullable(next);
    }
}
