package dev.joblock;

/**
 * The answer to an ask for a lock: {@link Granted} or {@link Denied}, nothing else. Not getting a lock is a value, never
 * an exception.
 */
public abstract class LockOutcome {

    LockOutcome() {}

    /**
     * Whether the lock was got.
     *
     * @return true for {@link Granted}
     */
    public abstract boolean isGranted();
}
