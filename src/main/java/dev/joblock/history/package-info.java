/**
 * What has become of every fire: the ledger, written behind the jobs' backs.
 *
 * <p>Knows the root package alone; where the ledger is kept is the {@link dev.joblock.HistoryStore}'s business.
 */
@NullMarked
package dev.joblock.history;

import org.jspecify.annotations.NullMarked;
