package dev.joblock.jmx;

import java.util.List;
import java.util.Map;

/** What a JMX console shows and does for one application on one node. */
public interface JobLockMXBean {

    /**
     * The node's id.
     *
     * @return the id
     */
    String getNodeId();

    /**
     * Whether jobs are guarded on this node.
     *
     * @return false if each job runs here whatever other nodes do
     */
    boolean isGuarding();

    /**
     * Switches guarding on this node on or off, until the next start. Logged as a WARN.
     *
     * @param guarding true to guard
     */
    void setGuarding(boolean guarding);

    /**
     * How often each outcome came about on this node since the start: granted, ran, failed, lost, abandoned, overrun, un-claimed,
     * and the reasons of denials.
     *
     * @return counts by outcome
     */
    Map<String, Long> getOutcomes();

    /**
     * The nodes that were heard of within the last hour.
     *
     * @return a line for each: id, alive or silent, clock offset, workers, warnings
     */
    List<String> getNodes();

    /**
     * The jobs: lock and last runs.
     *
     * @return a line for each job, by its name
     */
    Map<String, String> getJobs();

    /**
     * Starts a job now on this node.
     *
     * @param job the job's name
     * @param by your name, which is recorded
     * @return whether it was started, and else why not
     */
    String runNow(String job, String by);

    /**
     * Ends the lease of the run that holds a job's lock.
     *
     * @param job the job's name
     * @param by your name, which is recorded
     * @return whose it was, or why nothing was released
     */
    String release(String job, String by);
}
