@NullMarked
package dev.joblock.scheduling;

import org.jspecify.annotations.NullMarked;
