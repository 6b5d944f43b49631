package dev.joblock;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Where the ledger is kept. Implementations are thread-safe and throw {@link StoreException} and nothing else. */
public interface HistoryStore extends JobHistory {

    /**
     * Adds entries. One with a known id takes the place of the first, so that the same call may be made again after a failure;
     * only an {@link HistoryOutcome#ABANDONED abandoned} one leaves what its own node has said before.
     *
     * @param entries entries with their times
     * @throws StoreException if the store could not answer
     */
    void add(List<HistoryEntry> entries);

    /**
     * The runs of each job, newest first. They outlive the single entries: a year after its last run a job is forgotten.
     *
     * @return the summaries of at most 10,000 jobs
     * @throws StoreException if the store could not answer
     */
    List<JobSummary> summaries();

    /**
     * The runs of one job.
     *
     * @param job its name
     * @return its summary, or empty if no run is known
     * @throws StoreException if the store could not answer
     */
    Optional<JobSummary> summary(String job);

    /**
     * The store's time.
     *
     * @return an instant
     * @throws StoreException if the store could not answer
     */
    Instant time();
}
