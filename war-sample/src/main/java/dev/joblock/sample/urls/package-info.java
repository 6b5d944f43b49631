/** Calls URLs at the times that a cron gives, once for each slot. */
@NullMarked
package dev.joblock.sample.urls;

import org.jspecify.annotations.NullMarked;
