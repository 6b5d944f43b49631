package dev.joblock;

import java.util.Objects;

/** What is wrong with a job. Immutable and thread-safe. */
public final class Alarm {

    /** Kinds of trouble. */
    public enum Kind {
        /** No node has run the job for a slot that is over. */
        MISSED("missed"),
        /** Several runs in a row came to a bad end. */
        FAILING("failing"),
        /** The lease of a run was lost: another node may have begun before it had ended. */
        LOST("lost");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private final Kind kind;
    private final String job;
    private final String message;

    /**
     * An alarm.
     *
     * @param kind what kind of trouble it is
     * @param job the job's name
     * @param message a sentence for people
     */
    public Alarm(Kind kind, String job, String message) {
        this.kind = Objects.requireNonNull(kind);
        this.job = Objects.requireNonNull(job);
        this.message = Objects.requireNonNull(message);
    }

    /**
     * What kind of trouble it is.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * The job's name.
     *
     * @return the name as policies match it
     */
    public String job() {
        return job;
    }

    /**
     * What is wrong, as a sentence: when, where, how often.
     *
     * @return a sentence for people
     */
    public String message() {
        return message;
    }

    @Override
    public String toString() {
        return message;
    }
}
