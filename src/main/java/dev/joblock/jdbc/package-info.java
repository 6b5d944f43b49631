/**
 * Fencing for databases: lets a write refuse the token of a run that was overtaken. Needs nothing but {@code java.sql}.
 */
@NullMarked
package dev.joblock.jdbc;

import org.jspecify.annotations.NullMarked;
