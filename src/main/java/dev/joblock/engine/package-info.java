/**
 * The one {@link dev.joblock.JobLockService}: policies, ask budgets, renewal, deadlines, unknown outcomes, and listeners
 * that cannot break the work. Knows no scheduler and no Redis.
 */
@NullMarked
package dev.joblock.engine;

import org.jspecify.annotations.NullMarked;
