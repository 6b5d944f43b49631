package dev.joblock;

import java.time.Duration;
import java.time.Instant;

/**
 * The port to where locks are kept. Each call is one atomic step on the record of one lock name; times are the store's
 * own.
 *
 * <p>Implementations are thread-safe, call nobody back, and throw {@link StoreException} and nothing else. One contract
 * test suite runs on each of them.
 */
public interface LockStore {

    /**
     * Asks for a lock. The same holder asked again gets the same answer while its lease lives.
     *
     * @param request what is asked
     * @return a grant or a denial
     * @throws StoreException if the store could not answer
     */
    StoreAnswer acquire(LockRequest request);

    /**
     * Sets the end of a living lease to now + lease. Never makes a lease anew.
     *
     * @param lockName the lock's name
     * @param holder who holds it
     * @param lease how long from now
     * @return false if the holder's lease is gone or over
     * @throws StoreException if the store could not answer
     */
    boolean renew(String lockName, Holder holder, Duration lease);

    /**
     * Ends a run: frees the lease, keeps the mark. Asked again, it gives the same answer until the next grant.
     *
     * @param lockName the lock's name
     * @param holder who holds it
     * @return false if another holder was granted the lock since, or the record is gone
     * @throws StoreException if the store could not answer
     */
    boolean release(String lockName, Holder holder);

    /**
     * Takes a grant back as if it had not been: restores the mark, or the last start, of before. Only for a run of which
     * it is proven that it did not start.
     *
     * @param lockName the lock's name
     * @param holder who holds it
     * @return false if the grant is no longer this holder's
     * @throws StoreException if the store could not answer
     */
    boolean unclaim(String lockName, Holder holder);

    /**
     * Settles an acquisition whose answer is not known: takes a grant back as {@link #unclaim} does, or leaves a
     * tombstone that denies the request should it arrive late.
     *
     * @param lockName the lock's name
     * @param holder who asked
     * @throws StoreException if the store could not answer
     */
    void cancel(String lockName, Holder holder);

    /**
     * The store's time.
     *
     * @return an instant
     * @throws StoreException if the store could not answer
     */
    Instant time();

    /**
     * This store, for locks beside which a hand-written one is kept: it is respected and written in the same step.
     *
     * @param legacy the hand-written lock
     * @return a store with the same connections and prefix
     * @throws IllegalArgumentException if this store can't, with the reason for people
     */
    default LockStore withLegacy(LegacyLock legacy) {
        throw new IllegalArgumentException("The store " + getClass().getName() + " keeps no " + legacy
                + " beside its locks; leave 'legacy' out or take another mode");
    }
}
