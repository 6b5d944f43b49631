package dev.joblock.sample.files;

import java.time.Instant;

/**
 * The task to look after one file.
 *
 * @param id its id on the queue
 * @param cycle the slot of the job that queued it
 * @param name the file's name
 * @param takenFrom the consumer that took it before and did not finish it; blank for a new task
 */
public record FileTask(String id, Instant cycle, String name, String takenFrom) {}
