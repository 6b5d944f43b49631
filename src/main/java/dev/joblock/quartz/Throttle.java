package dev.joblock.quartz;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Lets one event per key and minute through and counts the others. Reads the monotonic clock alone. Thread-safe. */
final class Throttle {

    private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Beyond it, keys that are quiet are forgotten, since jobs may come and go under ever new names. */
    private static final int MANY = 1_000;

    private final Map<String, Entry> entries = new ConcurrentHashMap<>();

    /**
     * Asks whether an event may go through.
     *
     * @return how many were held back since the last one that went through, or -1 if this one is held back
     */
    long admit(String key) {
        return admit(key, System.nanoTime());
    }

    long admit(String key, long now) {
        if (entries.size() > MANY) {
            entries.values().removeIf(entry -> now - entry.last.get() >= PERIOD_NANOS);
        }
        Entry entry = entries.computeIfAbsent(key, any -> new Entry(now - PERIOD_NANOS));
        long last = entry.last.get();
        if (now - last >= PERIOD_NANOS && entry.last.compareAndSet(last, now)) {
            return entry.heldBack.getAndSet(0);
        }
        entry.heldBack.incrementAndGet();
        return -1;
    }

    int size() {
        return entries.size();
    }

    private static final class Entry {
        final AtomicLong last;
        final AtomicLong heldBack = new AtomicLong();

        Entry(long last) {
            this.last = new AtomicLong(last);
        }
    }
}
