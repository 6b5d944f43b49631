package dev.joblock.batch;

import java.sql.SQLException;
import java.util.Locale;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;

/** What a job repository throws where two launches meet in it. Stateless. */
final class Collisions {

    /** The class of SQL states that say so: a serialization failure, also one that comes with the commit, or a deadlock. */
    private static final String ROLLED_BACK = "40";

    private Collisions() {}

    /** Whether an exception says that another launch came between, and nothing of this one was kept. */
    static boolean isCollision(Throwable thrown) {
        for (Throwable it = thrown; it != null; it = it.getCause()) {
            if (it instanceof DuplicateKeyException || it instanceof ConcurrencyFailureException) {
                return true;
            }
            if (it instanceof SQLException
                    && String.valueOf(((SQLException) it).getSQLState()).startsWith(ROLLED_BACK)) {
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
