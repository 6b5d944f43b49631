package dev.joblock.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Both clocks, turned by hand. */
final class ManualTime implements Time {
    private final AtomicLong nanos = new AtomicLong(1_000_000_000L);
    private final AtomicLong wallMillis = new AtomicLong(1_790_000_000_000L);

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public long wallMillis() {
        return wallMillis.get();
    }

    /** Lets time pass, on both clocks. */
    void pass(Duration duration) {
        passNanos(duration.toNanos());
    }

    void passNanos(long passed) {
        long before = nanos.getAndAdd(passed);
        wallMillis.addAndGet(TimeUnit.NANOSECONDS.toMillis(before + passed) - TimeUnit.NANOSECONDS.toMillis(before));
    }

    /** The wall clock goes on alone, as while the machine is suspended, or is set. */
    void step(Duration duration) {
        wallMillis.addAndGet(duration.toMillis());
    }
}
