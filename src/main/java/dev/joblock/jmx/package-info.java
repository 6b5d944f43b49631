/** The MBean: what is seen and done from a JMX console. Knows the root package alone. */
@NullMarked
package dev.joblock.jmx;

import org.jspecify.annotations.NullMarked;
