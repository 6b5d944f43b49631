package dev.joblock;

/** What people do by hand. Bean {@code joblockOperations}. Thread-safe. */
public interface JobLockOperations {

    /**
     * Starts a job now, on this node, besides its schedule: no lane's mark and no interval is touched. Refused while the job
     * runs anywhere, and where the same was asked for less than two seconds ago on any node.
     *
     * @param job the job's name, as policies match it
     * @param by who asks, as log and history name them
     * @return whether it was started, and else why not; the run itself may still be denied, which the history shows
     * @throws IllegalArgumentException if nobody is named
     */
    OperationResult runNow(String job, String by);

    /**
     * Ends the lease of the run that holds a job's lock. The run is not stopped by it: it is told <em>lost</em> at its next
     * renewal, and another node may begin meanwhile. A plain lock without expiry that an older version left behind is removed.
     *
     * @param job the job's name, as policies match it
     * @param by who asks, as log and history name them
     * @return whether there was anything to end, and whose it was
     * @throws IllegalArgumentException if nobody is named
     */
    OperationResult release(String job, String by);
}
