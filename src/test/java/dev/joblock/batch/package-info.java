/** Quartz with a real scheduler and a real Redis; several schedulers in one JVM stand for several nodes. */
@NullMarked
package dev.joblock.batch;

import org.jspecify.annotations.NullMarked;
