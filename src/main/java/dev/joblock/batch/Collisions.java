package dev.joblock.batch;

import java.util.Locale;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;

/** What a job repository throws where two launches meet in it. Stateless. */
final class Collisions {

    private Collisions() {}

    /** Whether an exception says that another launch came between, and nothing of this one was kept. */
    static boolean isCollision(Throwable thrown) {
        for (Throwable it = thrown; it != null; it = it.getCause()) {
            if (it instanceof DuplicateKeyException || it instanceof ConcurrencyFailureException) {
                return true;
            }
            String message = String.valueOf(it.getMessage()).toLowerCase(Locale.ROOT);
            if (it instanceof IllegalStateException && message.contains("jobinstance must not already exist")) {
                return true;
            }
        }
        return false;
    }
}
