package dev.joblock;

/** How a fire ended on one node, as the ledger records it. */
public enum HistoryOutcome {
    /** The job ran and did its work. */
    RAN("ran"),
    /** The job ran and threw. */
    FAILED("failed"),
    /** The job did not run here: held, taken, passed, too soon or clock ahead; see {@link HistoryEntry#reason()}. */
    DENIED("denied"),
    /** The lease was lost while the job ran. */
    LOST("lost"),
    /** The job began and its node went without a word; another node took its dead lease over. */
    ABANDONED("abandoned"),
    /** The slot came while another run went on, and no node ran it afterwards. */
    OVERRUN("overrun"),
    /** The grant was taken back, since the job did not start. */
    UNCLAIMED("un-claimed"),
    /** The store could not answer, so the job did not run here. */
    STORE_DOWN("store down"),
    /** A person ended the lease of a run; see {@link HistoryEntry#by()}. */
    RELEASED("released");

    private final String text;

    HistoryOutcome(String text) {
        this.text = text;
    }

    /**
     * Whether the job was at work.
     *
     * @return true for ran, failed, lost and abandoned
     */
    public boolean isRun() {
        return this == RAN || isTrouble();
    }

    /**
     * Whether a run came to a bad end.
     *
     * @return true for failed, lost and abandoned
     */
    public boolean isTrouble() {
        return this == FAILED || this == LOST || this == ABANDONED;
    }

    @Override
    public String toString() {
        return text;
    }
}
