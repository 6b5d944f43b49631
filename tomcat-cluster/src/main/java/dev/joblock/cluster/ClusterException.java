package dev.joblock.cluster;

/** The cluster can't be started or has broken; the message says why and what to do, for a person at a terminal. */
public class ClusterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * An exception with a message.
     *
     * @param message what is wrong and what to do
     */
    public ClusterException(String message) {
        super(message);
    }

    /**
     * An exception with a message and a cause.
     *
     * @param message what is wrong and what to do
     * @param cause what caused it
     */
    public ClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
