package dev.joblock.jdbc;

import dev.joblock.JobLockException;

/**
 * A write was refused, because a later run of the same lock name has written since. The run that gets this was overtaken: it
 * rolls back and stops.
 */
public class StaleTokenException extends JobLockException {

    private static final long serialVersionUID = 1L;

    /** The name that the write was fenced by. */
    private final String lockName;

    /** The token that came too late. */
    private final long token;

    /** The token that was there. */
    private final long newerToken;

    /**
     * A refusal.
     *
     * @param lockName the lock's name
     * @param token the fencing token of the run that was refused
     * @param newerToken the highest token that has written
     * @param table the table that says so
     */
    public StaleTokenException(String lockName, long token, long newerToken, String table) {
        super("Write under lock '" + lockName + "' refused: its fencing token " + token + " is older than " + newerToken
                + ", with which a later run has written since (table '" + table
                + "'); roll back and stop this run, it was overtaken");
        this.lockName = lockName;
        this.token = token;
        this.newerToken = newerToken;
    }

    /**
     * The lock's name.
     *
     * @return the name
     */
    public String lockName() {
        return lockName;
    }

    /**
     * The token of the run that was refused.
     *
     * @return a positive number
     */
    public long token() {
        return token;
    }

    /**
     * The highest token that has written.
     *
     * @return a number greater than {@link #token()}
     */
    public long newerToken() {
        return newerToken;
    }
}
