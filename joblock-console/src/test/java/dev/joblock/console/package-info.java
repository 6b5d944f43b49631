/** Tests of the console. */
@NullMarked
package dev.joblock.console;

import org.jspecify.annotations.NullMarked;
