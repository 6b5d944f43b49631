/**
 * The whole language of Joblock: values and interfaces on the JDK and JSpecify alone. Every other package knows this one
 * and none of its siblings.
 */
@NullMarked
package dev.joblock;

import org.jspecify.annotations.NullMarked;
