/**
 * The fault suite: four JVMs with the jobs of one XML, faults that come from outside, and counts that come from the job
 * bodies.
 *
 * <p>{@code FaultNode} and what it names run in the nodes; all else runs in the test and looks at them from outside. The one
 * time that both use is {@link System#nanoTime()}: on one machine it is the same for all processes, and libfaketime is told
 * to leave it alone.
 */
@NullMarked
package dev.joblock.cluster.faults;

import org.jspecify.annotations.NullMarked;
