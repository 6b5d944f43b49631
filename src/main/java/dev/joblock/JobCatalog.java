package dev.joblock;

import java.util.List;

/** What an adapter knows of the jobs on this node. Implementations are thread-safe, quick, and throw nothing. */
public interface JobCatalog {

    /**
     * The jobs of this node, one entry for each trigger.
     *
     * @return the jobs as they are now
     */
    List<RegisteredJob> jobs();

    /**
     * How many workers the adapter has.
     *
     * @return a number, 0 if it is not known
     */
    int threads();

    /**
     * How many of the workers run a job.
     *
     * @return a number from 0 to {@link #threads()}
     */
    int busyThreads();
}
