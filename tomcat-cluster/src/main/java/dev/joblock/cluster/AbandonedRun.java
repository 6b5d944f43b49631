package dev.joblock.cluster;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run that never ended, as the sample recorded it.
 *
 * @param id the number of its row
 * @param job the job's name
 * @param slot its scheduled fire time, or null if it had none
 * @param node the node that began it
 * @param foundBy the node whose run took over the lock
 * @param at when it was found
 */
record AbandonedRun(long id, String job, @Nullable Instant slot, String node, String foundBy, Instant at) {}
