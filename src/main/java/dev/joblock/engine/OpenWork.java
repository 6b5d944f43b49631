package dev.joblock.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** What is not over yet: leases held, and releases that the store has not confirmed. Keeps nothing of what is over. */
final class OpenWork {

    private final Set<Lease> held = new LinkedHashSet<>();
    private final Map<String, Integer> endings = new HashMap<>();

    synchronized void begin(Lease lease) {
        held.add(lease);
    }

    synchronized void end(Lease lease) {
        if (held.remove(lease)) {
            notifyAll();
        }
    }

    synchronized void beginEnding(String lockName) {
        endings.merge(lockName, 1, Integer::sum);
    }

    synchronized void endEnding(String lockName) {
        endings.computeIfPresent(lockName, (name, n) -> n == 1 ? null : n - 1);
        notifyAll();
    }

    synchronized List<Lease> held() {
        return new ArrayList<>(held);
    }

    /** Waits until no release of a lock name is pending; false if the wait is over or the thread is interrupted. */
    synchronized boolean awaitEndings(String lockName, long nanos) {
        return await(nanos, () -> !endings.containsKey(lockName));
    }

    /** Waits until nothing is open; false if the wait is over or the thread is interrupted. */
    synchronized boolean awaitNothing(long nanos) {
        return await(nanos, () -> held.isEmpty() && endings.isEmpty());
    }

    private boolean await(long nanos, BooleanSupplier done) {
        long end = System.nanoTime() + nanos;
        try {
            while (!done.getAsBoolean()) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
