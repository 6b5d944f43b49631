package dev.joblock.cluster;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What one node answered to one slot of one job.
 *
 * @param job the job
 * @param slot the scheduled fire time
 * @param node the node
 * @param answer {@code running}, {@code ran}, or the reason of a denial
 * @param holder for a denial: whose run stood in the way
 */
record Answer(
        SampleJob job,
        Instant slot,
        String node,
        String answer,
        @Nullable String holder) {

    boolean isRun() {
        return answer.equals("ran") || answer.equals("running");
    }
}
