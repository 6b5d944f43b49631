/**
 * What a Spring application meets: the settings and the beans that the import files in {@code spring/} are made of.
 *
 * <p>The one package that knows several others. It names Quartz and Batch by strings alone, so that it loads without them.
 */
@NullMarked
package dev.joblock.config;

import org.jspecify.annotations.NullMarked;
