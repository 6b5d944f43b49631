package dev.joblock;

/**
 * What was wrong with the store. The names of Redis errors are those that the server sends as the first word of its
 * answer.
 */
public enum StoreFault {
    /** No connection could be made. */
    UNREACHABLE("cannot be reached"),
    /** The connection broke. */
    DISCONNECTED("connection lost"),
    /** No answer within the time-out. */
    TIMEOUT("no answer in time"),
    /** No free connection in the pool within the wait. */
    POOL_EMPTY("connection pool exhausted"),
    /** Too many asks wait for a slow store already. */
    SLOW("store slow"),
    /** {@code READONLY}: a replica. */
    READONLY("write refused (READONLY)"),
    /** {@code LOADING}: the server reads its file. */
    LOADING("loading"),
    /** {@code OOM}: the memory limit is reached. */
    OUT_OF_MEMORY("store refused write (OOM)"),
    /** {@code MISCONF}: the server cannot save and refuses writes. */
    MISCONFIGURED("store refused write (MISCONF)"),
    /** {@code NOREPLICAS}: too few replicas. */
    NO_REPLICAS("store refused write (NOREPLICAS)"),
    /** Too few replicas acknowledged a grant or a renewal in time. */
    NOT_REPLICATED("not acknowledged by enough replicas"),
    /** {@code NOPERM}, {@code NOAUTH} or {@code WRONGPASS}: the user may not. */
    NOT_PERMITTED("not permitted"),
    /** {@code WRONGTYPE}, or a value at the key that is not ours. */
    FOREIGN_VALUE("foreign value at key"),
    /** The record is of a layout that this version does not know. */
    UNKNOWN_LAYOUT("record of a newer version"),
    /** {@code BUSY}: a script does not end. */
    BUSY("server busy"),
    /** The record changed at each try. */
    CONTENDED("too much contention"),
    /** {@code CLUSTERDOWN}, {@code MASTERDOWN} or {@code TRYAGAIN}. */
    CLUSTER_DOWN("cluster down"),
    /** This node is closing. */
    CLOSED("service closed"),
    /** Anything else. */
    OTHER("store error");

    private final String text;

    StoreFault(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
