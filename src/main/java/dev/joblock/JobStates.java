package dev.joblock;

import java.util.List;

/** The state of each job. Bean {@code joblockStates}. Thread-safe. */
public interface JobStates {

    /**
     * The jobs that living nodes guard and those whose runs are remembered. Reads one record for each job.
     *
     * @return the states in the order of the jobs' names
     * @throws StoreException if the store could not answer
     */
    List<JobState> states();

    /**
     * One job, whether it is known or not.
     *
     * @param job its name
     * @return its state
     * @throws StoreException if the store could not answer
     */
    JobState state(String job);
}
