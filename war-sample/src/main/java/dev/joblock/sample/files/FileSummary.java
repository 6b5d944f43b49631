package dev.joblock.sample.files;

/**
 * All files together.
 *
 * @param notArrived how many have not come yet
 * @param arrived how many came once
 * @param sentAgain how many came with more than one content
 * @param late how many came too late, or are missing since they were due
 * @param broken how many are broken, in their last version
 * @param versions how many contents were delivered
 * @param rows how many lines were loaded
 * @param skipped how many lines were skipped
 */
public record FileSummary(
        int notArrived, int arrived, int sentAgain, int late, int broken, int versions, int rows, int skipped) {}
