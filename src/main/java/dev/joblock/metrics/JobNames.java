package dev.joblock.metrics;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Job names as meters tell them apart: a thousand by name, the others as one. Thread-safe. */
final class JobNames {

    private static final int MOST = 1_000;

    private final Set<String> known = ConcurrentHashMap.newKeySet();

    String of(String job) {
        if (known.contains(job)) {
            return job;
        }
        if (known.size() >= MOST) {
            return "other";
        }
        known.add(job);
        return job;
    }
}
