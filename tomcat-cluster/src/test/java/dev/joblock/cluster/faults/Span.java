package dev.joblock.cluster.faults;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/**
 * The time that a fault lasted.
 *
 * @param begin its begin
 * @param end its end
 */
record Span(Instant begin, Instant end) {

    /** Lets a fault last for a while, and heals it whatever happens. */
    static Span of(Duration time, Runnable fault, Runnable heal) {
        Instant begin = Instant.now();
        try {
            fault.run();
            last(time);
        } finally {
            heal.run();
        }
        return new Span(begin, Instant.now());
    }

    /** Lets time pass, since a fault has a length. */
    static void last(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Whether a slot may have been lost to the fault: it fell due in it, or in the two fires after. */
    boolean excuses(Instant slot, Duration period) {
        return !slot.isBefore(begin.minus(period)) && !slot.isAfter(end.plus(period.multipliedBy(2)));
    }
}
