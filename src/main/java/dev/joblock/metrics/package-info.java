/** Meters and observations for Micrometer. Loaded only where its libraries are on the class path; knows the root package alone. */
@NullMarked
package dev.joblock.metrics;

import org.jspecify.annotations.NullMarked;
