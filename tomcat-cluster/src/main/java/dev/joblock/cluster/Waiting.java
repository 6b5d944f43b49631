package dev.joblock.cluster;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a process to come up. Stateless. */
public final class Waiting {

    private Waiting() {}

    /**
     * Waits until a process is ready.
     *
     * @param most how long at the most
     * @param poll how often to look; the end of the process is noticed at once
     * @param child the process
     * @param ready whether it is ready
     * @throws ClusterException if the process ends, or the time is over
     */
    public static void until(Duration most, Duration poll, Child child, BooleanSupplier ready) {
        long deadline = System.nanoTime() + most.toNanos();
        while (!ready.getAsBoolean()) {
            if (child.awaitEnd(poll)) {
                throw new ClusterException(child.name() + " ended at its start (" + child.ending() + "): "
                        + LogReason.of(child.logLines()) + "\n  Its log: " + child.log());
            }
            if (System.nanoTime() - deadline > 0) {
                throw new ClusterException(
                        child.name() + " did not answer within " + most.toSeconds() + " s. Its log: " + child.log());
            }
        }
    }
}
