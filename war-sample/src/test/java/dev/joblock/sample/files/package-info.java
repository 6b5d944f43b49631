/** Tests of the file watch. */
@NullMarked
package dev.joblock.sample.files;

import org.jspecify.annotations.NullMarked;
