package dev.joblock.engine;

import dev.joblock.JobLock;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The locks taken by {@code addJobLock} and {@code seize}. What is over is forgotten at the next grant. */
final class ByNameLocks {

    private final Map<String, JobLock> locks = new HashMap<>();

    synchronized void put(String name, JobLock lock) {
        locks.values().removeIf(other -> !other.isHeld());
        locks.put(name, lock);
    }

    synchronized @Nullable JobLock remove(String name) {
        return locks.remove(name);
    }
}
