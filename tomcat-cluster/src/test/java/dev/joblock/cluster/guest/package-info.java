/** What RedeployIT puts into its web application: a job, and the file in which it counts. */
@NullMarked
package dev.joblock.cluster.guest;

import org.jspecify.annotations.NullMarked;
