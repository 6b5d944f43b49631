package dev.joblock.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * For how long a lease is good that was asked for at a known time: counted by the monotonic clock from before the request
 * was sent, less a margin of a tenth of the lease, at most a second. Immutable.
 */
final class Validity {

    private static final long LONGEST_MARGIN = TimeUnit.SECONDS.toNanos(1);

    private final long sentNanos;
    private final long sentWall;
    private final long leaseNanos;

    /** To be made before the request is sent. */
    Validity(Time time, Duration lease) {
        this.sentNanos = time.nanos();
        this.sentWall = time.wallMillis();
        this.leaseNanos = lease.toNanos();
    }

    Duration length() {
        return Duration.ofNanos(leaseNanos);
    }

    private long margin() {
        return Math.min(leaseNanos / 10, LONGEST_MARGIN);
    }

    /** How long the lease is certainly held, in ns; zero or less if it is not. */
    long remaining(Time time) {
        return leaseNanos - margin() - (time.nanos() - sentNanos);
    }

    /** In how many ns the lease is over in the store as well, had it been granted at the moment of sending. */
    long remainingInStore(Time time) {
        return leaseNanos - (time.nanos() - sentNanos);
    }

    /** Whether the wall clock has gone further than the monotonic one, as it does while a machine is suspended. */
    boolean isSuspect(Time time) {
        long wall = TimeUnit.MILLISECONDS.toNanos(time.wallMillis() - sentWall);
        return wall - (time.nanos() - sentNanos) > LONGEST_MARGIN;
    }
}
