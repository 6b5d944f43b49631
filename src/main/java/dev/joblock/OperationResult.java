package dev.joblock;

/** Whether something was done, in words. Immutable and thread-safe. */
public final class OperationResult {

    private final boolean done;
    private final String message;

    private OperationResult(boolean done, String message) {
        this.done = done;
        this.message = message;
    }

    /**
     * It was done.
     *
     * @param message a sentence for people
     * @return the result
     */
    public static OperationResult done(String message) {
        return new OperationResult(true, message);
    }

    /**
     * It was not done.
     *
     * @param message a sentence for people that says why
     * @return the result
     */
    public static OperationResult refused(String message) {
        return new OperationResult(false, message);
    }

    /**
     * Whether it was done.
     *
     * @return false if it was refused
     */
    public boolean isDone() {
        return done;
    }

    /**
     * What was done, or why not. Holds names that people wrote: escape it before it goes into a page.
     *
     * @return a sentence
     */
    public String message() {
        return message;
    }

    @Override
    public String toString() {
        return message;
    }
}
