package dev.joblock;

import java.time.Duration;

/** Looks at locks without changing them, and at requests of people. Implementations are thread-safe. */
public interface LockViews {

    /**
     * Reads a lock.
     *
     * @param lockName the lock's name
     * @param mode how it is kept
     * @return the lock as it stands
     * @throws StoreException if the store could not answer
     */
    LockView view(String lockName, LockMode mode);

    /**
     * Removes a plain lock without expiry, if it still has that value and no expiry.
     *
     * @param lockName the lock's name
     * @param value the value that was seen
     * @return false if it is another one by now
     * @throws StoreException if the store could not answer
     */
    boolean removeWithoutExpiry(String lockName, String value);

    /**
     * Notes a request, unless the same was noted a moment ago on any node.
     *
     * @param request what is asked for
     * @param by who asks
     * @param window how long the note stays
     * @return false if it was noted before
     * @throws StoreException if the store could not answer
     */
    boolean isFirst(String request, String by, Duration window);
}
