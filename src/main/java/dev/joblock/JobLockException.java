package dev.joblock;

<<<<<<< HEAD
/** The root of what Joblock throws at its callers. Schedulers are never given one. */
public class JobLockException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * An exception with a message.
     *
     * @param message what happened and what to do
=======
/** Thrown for wrong use or wrong settings, never for a lock that was not granted: that is a value. */
public class JobLockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message names what is wrong, its value, the rule and the way out
>>>>>>> build
     */
    public JobLockException(String message) {
        super(message);
    }
<<<<<<< HEAD

    /**
     * An exception with a message and a cause.
     *
     * @param message what happened and what to do
     * @param cause what caused it
     */
    public JobLockException(String message, Throwable cause) {
        super(message, cause);
    }
=======
>>>>>>> build
}
