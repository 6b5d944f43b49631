/**
 * Spring scheduling: the guard of {@code <task:scheduled>} and {@code @Scheduled}, and the advice that guards method calls.
 *
 * <p>Knows the root package and Spring alone. Nothing that goes wrong here is thrown into a scheduler, since that can end a
 * schedule.
 */
@NullMarked
package dev.joblock.scheduling;

import org.jspecify.annotations.NullMarked;
