package dev.joblock;

import java.util.List;

/** The nodes that share this Redis and prefix, as their heartbeats show them. Bean {@code joblockNodePresence}. Thread-safe. */
public interface Nodes {

    /**
     * Reads all nodes that were heard of within the last hour.
     *
     * @return the nodes in the order of their ids; empty where guarding is switched off
     * @throws StoreException if the store could not answer
     */
    List<NodeInfo> nodes();

    /**
     * Whether it is the clock of Redis that is wrong rather than that of this node: this node's clock differs from Redis' by
     * more than the limit, and so do those of all other living nodes, of which there must be one, by the same amount. Asks nobody:
     * as the last heartbeat found it, at most a quarter of a minute ago.
     *
     * @return true if a slot should not be held back because it lies ahead of Redis time
     */
    boolean isRedisOutlier();
}
