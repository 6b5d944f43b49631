package dev.joblock;

/** Starts jobs through the scheduler that has them. Implementations are thread-safe. */
public interface JobStarter {

    /**
     * Starts a job now, on this node.
     *
     * @param job the job's name, as policies match it
     * @param by who asks; the run carries it ({@link JobRun#by()})
     * @return false if this adapter has no such job
     * @throws JobLockException if the scheduler refuses
     */
    boolean start(String job, String by);
}
