package dev.joblock.scheduling;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Lets one event per key and minute through and counts the others. Reads the monotonic clock alone. Thread-safe. */
final class Throttle {

    private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Beyond it, the oldest key is forgotten, since names may come from arguments. */
    private static final int MANY = 1_000;

    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /**
     * Asks whether an event may go through.
     *
     * @return how many were held back since the last one that went through, or -1 if this one is held back
     */
    long admit(String key) {
        return admit(key, System.nanoTime());
    }

    synchronized long admit(String key, long now) {
        Entry entry = entries.get(key);
        if (entry != null && now - entry.last < PERIOD_NANOS) {
            entry.heldBack++;
            return -1;
        }
        entries.remove(key);
        entries.put(key, new Entry(now));
        if (entries.size() > MANY) {
            entries.remove(entries.keySet().iterator().next());
        }
        return entry == null ? 0 : entry.heldBack;
    }

    private static final class Entry {
        final long last;
        long heldBack;

        Entry(long last) {
            this.last = last;
        }
    }
}
