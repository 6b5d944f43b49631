/** Tests of the runner, and of Joblock on a cluster of real Tomcats. */
@NullMarked
package dev.joblock.cluster;

import org.jspecify.annotations.NullMarked;
