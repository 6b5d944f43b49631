/**
 * The console: one page about the whole cluster, served by every node. A host maps {@link dev.joblock.console.JobLockConsoleServlet}
 * and keeps its own log-in in front of it.
 */
@NullMarked
package dev.joblock.console;

import org.jspecify.annotations.NullMarked;
