@NullMarked
package dev.joblock.history;

import org.jspecify.annotations.NullMarked;
