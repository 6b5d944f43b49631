/**
 * Starts real Tomcats with the sample WAR, a real Redis and an H2 server as processes of this machine, shows what the
 * nodes do, and stops them all. For {@code mvn -f reactor.xml -Pup package} and for the cluster tests.
 */
@NullMarked
package dev.joblock.cluster;

import org.jspecify.annotations.NullMarked;
