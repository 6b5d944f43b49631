package dev.joblock;

/**
 * The ledger: what became of each fire on each node. Bean {@code joblockHistory}.
 *
 * <p>An entry is written a moment after its event, behind the job's back; what could not be written while the store was away
 * comes later, up to a bound. The ledger is capped by number and age. Locks do not depend on it. Thread-safe.
 */
public interface JobHistory {

    /**
     * Reads a page, newest entry first.
     *
     * @param query which entries
     * @return the page; empty where no history is kept
     * @throws StoreException if the store could not answer
     * @throws IllegalArgumentException if the token of the page before is none of ours
     */
    HistoryPage find(HistoryQuery query);
}
