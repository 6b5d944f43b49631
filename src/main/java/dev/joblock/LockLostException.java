package dev.joblock;

/** The lease is no longer held: work that goes on is not protected. */
public class LockLostException extends JobLockException {

    private static final long serialVersionUID = 1L;

    /**
     * A loss.
     *
     * @param message which lock and why
     */
    public LockLostException(String message) {
        super(message);
    }
}
