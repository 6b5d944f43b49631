package dev.joblock;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A call to the store failed. Thrown by stores to the engine, which turns it into a denial, a retry or a loss. */
public class StoreException extends JobLockException {

    private static final long serialVersionUID = 1L;

    /** What was wrong. */
    private final StoreFault fault;

    /** Whether the server may have done it all the same. */
    private final boolean maybeApplied;

    /**
     * A failed call.
     *
     * @param fault what was wrong
     * @param maybeApplied whether the server may have done what was asked all the same
     * @param message a sentence for people, with the key
     * @param cause the exception of the client library, if there was one
     */
    @SuppressWarnings("this-escape")
    public StoreException(StoreFault fault, boolean maybeApplied, String message, @Nullable Throwable cause) {
        super(message);
        this.fault = Objects.requireNonNull(fault);
        this.maybeApplied = maybeApplied;
        if (cause != null) {
            initCause(cause);
        }
    }

    /**
     * What was wrong.
     *
     * @return the fault
     */
    public StoreFault fault() {
        return fault;
    }

    /**
     * Whether the outcome is unknown: the command may have reached the server, its answer did not reach us.
     *
     * @return false if it is certain that nothing was changed
     */
    public boolean isMaybeApplied() {
        return maybeApplied;
    }
}
