package dev.joblock.engine;

import dev.joblock.Holder;
import dev.joblock.LegacyLock;
import dev.joblock.LockRequest;
import dev.joblock.LockStore;
import dev.joblock.StoreAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The store for {@code joblock.enabled=false}: grants all and asks nobody, so that hand-written calls go on as if each had
 * its lock. Tokens rise as those of a real store do. Thread-safe.
 */
public final class UnguardedStore implements LockStore {

    private final Time time = new SystemTime();
    private final AtomicLong lastToken = new AtomicLong();

    /** A store that guards nothing. */
    public UnguardedStore() {}

    @Override
    public StoreAnswer acquire(LockRequest request) {
        long now = time.wallMillis();
        long token = lastToken.accumulateAndGet(now, (previous, ms) -> Math.max(previous + 1, ms));
        return StoreAnswer.granted(token, Instant.ofEpochMilli(now), null, false);
    }

    @Override
    public boolean renew(String lockName, Holder holder, Duration lease) {
        return true;
    }

    @Override
    public boolean release(String lockName, Holder holder) {
        return true;
    }

    @Override
    public boolean unclaim(String lockName, Holder holder) {
        return true;
    }

    @Override
    public void cancel(String lockName, Holder holder) {}

    @Override
    public Instant time() {
        return Instant.ofEpochMilli(time.wallMillis());
    }

    @Override
    public LockStore withLegacy(LegacyLock legacy) {
        return this;
    }
}
