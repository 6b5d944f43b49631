/** Meters for Micrometer. Loaded only where Micrometer is on the class path; knows the root package alone. */
@NullMarked
package dev.joblock.metrics;

import org.jspecify.annotations.NullMarked;
