/** Tells what becomes of runs as Spring application events. */
@NullMarked
package dev.joblock.events;

import org.jspecify.annotations.NullMarked;
