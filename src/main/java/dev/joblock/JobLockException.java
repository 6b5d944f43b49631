package dev.joblock;

/** Thrown for wrong use or wrong settings, never for a lock that was not granted: that is a value. */
public class JobLockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message names what is wrong, its value, the rule and the way out
     */
    public JobLockException(String message) {
        super(message);
    }
}
