package dev.joblock.engine;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The locks taken by {@code addJobLock} and {@code seize}. What is over is forgotten at the next grant. */
final class ByNameLocks {

    private final Map<String, Lease> locks = new HashMap<>();

    synchronized void put(String name, Lease lock) {
        locks.values().removeIf(Lease::isOver);
        locks.put(name, lock);
    }

    synchronized @Nullable Lease remove(String name) {
        return locks.remove(name);
    }

    synchronized int size() {
        return locks.size();
    }
}
