/**
 * A sample application: Quartz jobs in plain Spring XML whose bodies count their runs, and a page that shows which node
 * ran which slot. What Joblock needs is in {@code WEB-INF/spring/guard.xml}; no class here is needed for it.
 */
@NullMarked
package dev.joblock.sample;

import org.jspecify.annotations.NullMarked;
