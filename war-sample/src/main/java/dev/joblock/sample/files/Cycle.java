package dev.joblock.sample.files;

import java.time.Instant;

/**
 * What the runs of one job in one slot put on its queue.
 *
 * @param job the job
 * @param cycle the slot
 * @param nodes on how many nodes it ran
 * @param tasks how many tasks they queued, all together
 */
public record Cycle(String job, Instant cycle, int nodes, int tasks) {}
