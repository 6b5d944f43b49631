/**
 * Watching for files that partners deliver. A guarded job puts one task for each expected file on a Redis queue, every
 * node takes tasks from it and looks whether the file has come, and what has come is loaded by Spring Batch.
 */
@NullMarked
package dev.joblock.sample.files;

import org.jspecify.annotations.NullMarked;
