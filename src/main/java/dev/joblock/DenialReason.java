package dev.joblock;

/** Why a run did not get its lock. */
public enum DenialReason {
    /** Another run of the lock name is going on. */
    HELD("held"),
    /** This very slot was granted before. */
    TAKEN("taken"),
    /** A later slot of the lane was granted before; nobody is said to have run this one. */
    PASSED("passed"),
    /** The minimum interval is not over. */
    TOO_SOON("too soon"),
    /** The slot lies further ahead of Redis time than the node's clock is believed. */
    CLOCK_AHEAD("clock ahead"),
    /** The store could not answer, or its answer is not known. */
    STORE_DOWN("store down");

    private final String text;

    DenialReason(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
