/**
 * Quartz: the listener that vetoes runs on all nodes but one, and the slots that triggers stand for.
 *
 * <p>The one home of {@code org.quartz}. Nothing that goes wrong here is thrown into Quartz, since that would leave a
 * trigger BLOCKED for good.
 */
@NullMarked
package dev.joblock.quartz;

import org.jspecify.annotations.NullMarked;
