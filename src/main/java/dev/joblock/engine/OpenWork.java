package dev.joblock.engine;

import dev.joblock.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What is not over yet: asks under way, leases held, and endings that the store has not confirmed. Keeps nothing of what is
 * over. Thread-safe.
 */
final class OpenWork {

    private final Set<Lease> held = new LinkedHashSet<>();
    private final Map<String, Endings> endings = new HashMap<>();
    private int asks;

    /** The endings of one lock name, and what the last try of one of them ended with. */
    private static final class Endings {
        private int count;
        private int failures;
        private @Nullable StoreException trouble;
    }

    synchronized void beginAsk() {
        asks++;
    }

    synchronized void endAsk() {
        asks--;
        notifyAll();
    }

    synchronized void begin(Lease lease) {
        held.add(lease);
    }

    /** A lease is over here, and nothing is to be told to the store. */
    synchronized void end(Lease lease) {
        if (held.remove(lease)) {
            notifyAll();
        }
    }

    /** A lease is over here, and its ending begins: in one step, so that nobody sees neither. */
    synchronized void beginEnding(Lease lease) {
        held.remove(lease);
        beginEnding(lease.lockName());
    }

    synchronized void beginEnding(String lockName) {
        endings.computeIfAbsent(lockName, name -> new Endings()).count++;
    }

    synchronized void failEnding(String lockName, StoreException trouble) {
        Endings open = endings.get(lockName);
        if (open != null) {
            open.failures++;
            open.trouble = trouble;
            notifyAll();
        }
    }

    synchronized void endEnding(String lockName) {
        Endings open = endings.get(lockName);
        if (open != null && --open.count == 0) {
            endings.remove(lockName);
        }
        notifyAll();
    }

    synchronized List<Lease> held() {
        return new ArrayList<>(held);
    }

    /** How many lock names something is kept for. */
    synchronized int size() {
        return held.size() + endings.size();
    }

    /** Why the endings of a lock name are not confirmed; null if there are none or none has failed yet. */
    synchronized @Nullable StoreException trouble(String lockName) {
        Endings open = endings.get(lockName);
        return open == null ? null : open.trouble;
    }

    /**
     * Waits until no ending of a lock name is open, but not beyond the next try that fails: then the store is away. An
     * interrupt is put off, since an ask is short.
     */
    synchronized boolean awaitEndings(String lockName, long nanos) {
        boolean interrupted = false;
        long end = System.nanoTime() + nanos;
        int failures = failures(lockName);
        try {
            while (true) {
                try {
                    await(
                            end - System.nanoTime(),
                            () -> failures(lockName) != failures || !endings.containsKey(lockName));
                    return !endings.containsKey(lockName);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private int failures(String lockName) {
        Endings open = endings.get(lockName);
        return open == null ? 0 : open.failures;
    }

    /** Waits until no ask is under way and no ending open, whatever is held. */
    synchronized boolean awaitCalls(long nanos) throws InterruptedException {
        return await(nanos, () -> asks == 0 && endings.isEmpty());
    }

    /**
     * Waits until nothing is open. What the store has failed to confirm is waited for no longer than {@code patience} once
     * nothing is held any more.
     */
    synchronized boolean awaitNothing(long nanos, long patience) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        if (!await(
                nanos,
                () -> asks == 0 && held.isEmpty() && endings.values().stream().allMatch(OpenWork::hasFailed))) {
            return false;
        }
        return await(Math.min(patience, end - System.nanoTime()), () -> asks == 0 && endings.isEmpty());
    }

    /** Whether each ending has been tried at least once, so that what is open has failed. */
    private static boolean hasFailed(Endings open) {
        return open.failures > 0;
    }

    /** The lock names with endings that the store has not confirmed. */
    synchronized Set<String> unconfirmed() {
        return new TreeSet<>(endings.keySet());
    }

    private boolean await(long nanos, BooleanSupplier done) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        while (!done.getAsBoolean()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }
}
