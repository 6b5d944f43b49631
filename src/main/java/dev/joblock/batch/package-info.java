/**
 * Guards Spring Batch jobs: in front of every launcher and operator, for Batch 4.3, 5.2 and 6.0 alike.
 *
 * <p>Classes that Batch has moved between these versions are reached by name; those named in the code stay where they are.
 */
@NullMarked
package dev.joblock.batch;

import org.jspecify.annotations.NullMarked;
