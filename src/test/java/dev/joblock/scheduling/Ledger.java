package dev.joblock.scheduling;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.annotation.Transactional;

/** A bean with transactions in XML. */
class Ledger {

    boolean fails;

    public void book() {
        if (fails) {
            throw new IllegalStateException("no money");
        }
    }

    public void read() {}

    public final void close() {}

    private void tidy() {}

    public void unused() {
        tidy();
    }

    /** With the annotations of both. */
    static class Annotated {
        @JobLocked(job = "book")
        @Transactional
        public @Nullable String book() {
            return "booked";
        }
    }
}
