/** Tests of the URL caller. */
@NullMarked
package dev.joblock.sample.urls;

import org.jspecify.annotations.NullMarked;
