package dev.joblock;

/** The root of what Joblock throws at its callers. Schedulers are never given one. */
public class JobLockException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * An exception with a message.
     *
     * @param message what happened and what to do
     */
    public JobLockException(String message) {
        super(message);
    }

    /**
     * An exception with a message and a cause.
     *
     * @param message what happened and what to do
     * @param cause what caused it
     */
    public JobLockException(String message, Throwable cause) {
        super(message, cause);
    }
}
