/**
 * The language of Joblock: what a job run asks for, what it gets, and the ports that adapters and stores meet at.
 *
 * <p>Values and interfaces on the JDK alone. Every other package knows this one and none of its siblings.
 */
@NullMarked
package dev.joblock;

import org.jspecify.annotations.NullMarked;
