/**
 * Where locks are kept in Redis: one hash a lock name, the rules by which it changes, and the stores that change it in
 * one atomic step. The only package that knows Spring Data.
 */
@NullMarked
package dev.joblock.redis;

import org.jspecify.annotations.NullMarked;
