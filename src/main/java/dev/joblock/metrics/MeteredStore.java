package dev.joblock.metrics;

import dev.joblock.Holder;
import dev.joblock.LegacyLock;
import dev.joblock.LockRequest;
import dev.joblock.LockStore;
import dev.joblock.StoreAnswer;
import dev.joblock.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Measures how long a store takes to answer. Thread-safe. */
final class MeteredStore implements LockStore {

    private final LockStore store;
    private final String mode;
    private final Meters meters;

    MeteredStore(LockStore store, String mode, Meters meters) {
        this.store = store;
        this.mode = mode;
        this.meters = meters;
    }

    @Override
    public StoreAnswer acquire(LockRequest request) {
        return measured("acquire", () -> store.acquire(request));
    }

    @Override
    public boolean renew(String lockName, Holder holder, Duration lease) {
        return measured("renew", () -> store.renew(lockName, holder, lease));
    }

    @Override
    public boolean release(String lockName, Holder holder) {
        return measured("release", () -> store.release(lockName, holder));
    }

    @Override
    public boolean unclaim(String lockName, Holder holder) {
        return measured("un-claim", () -> store.unclaim(lockName, holder));
    }

    @Override
    public void cancel(String lockName, Holder holder) {
        measured("cancel", () -> {
            store.cancel(lockName, holder);
            return true;
        });
    }

    @Override
    public Instant time() {
        return measured("time", store::time);
    }

    @Override
    public LockStore withLegacy(LegacyLock legacy) {
        return new MeteredStore(store.withLegacy(legacy), mode, meters);
    }

    private <T> T measured(String operation, Supplier<T> call) {
        long begin = System.nanoTime();
        String result = "ok";
        try {
            return call.get();
        } catch (StoreException e) {
            result = e.fault().toString();
            throw e;
        } catch (RuntimeException e) {
            result = "error";
            throw e;
        } finally {
            meters.time(
                    "joblock.store",
                    System.nanoTime() - begin,
                    TimeUnit.NANOSECONDS,
                    "operation",
                    operation,
                    "mode",
                    mode,
                    "result",
                    result);
        }
    }
}
