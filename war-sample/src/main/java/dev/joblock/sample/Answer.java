package dev.joblock.sample;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What one node answered to one slot.
 *
 * @param job the job's name
 * @param slot the scheduled fire time
 * @param node the node
 * @param answer {@code running}, {@code ran}, or the reason of a denial
 * @param holder for a denial: whose run stood in the way
 * @param since for a denial: since when
 * @param token the fencing token of this run, or of the run that stood in the way; null if there is none
 * @param at when the node wrote this
 */
public record Answer(
        String job,
        Instant slot,
        String node,
        String answer,
        @Nullable String holder,
        @Nullable Instant since,
        @Nullable Long token,
        Instant at) {}
