/** Quartz with a real scheduler and a real Redis; several schedulers in one JVM stand for several nodes. */
@NullMarked
package dev.joblock.quartz;

import org.jspecify.annotations.NullMarked;
