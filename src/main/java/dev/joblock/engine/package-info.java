/** The one lock service: policies, renewal and deadlines on top of a store. */
@NullMarked
package dev.joblock.engine;

import org.jspecify.annotations.NullMarked;
