/** Starts and stops the processes of a cluster on one machine: Tomcats, Redis, H2. */
@NullMarked
package dev.joblock.cluster;

import org.jspecify.annotations.NullMarked;
