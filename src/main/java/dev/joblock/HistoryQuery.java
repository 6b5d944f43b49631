package dev.joblock;

import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which entries of the ledger to read, newest first. {@code HistoryQuery.all().job("invoice").limit(20)}; for the page that
 * follows, the same query with {@code .after(page.next().get())}. Immutable and thread-safe.
 */
public final class HistoryQuery {

    private static final int MOST = 1_000;
    private static final HistoryQuery ALL =
            new HistoryQuery(null, null, null, EnumSet.noneOf(HistoryOutcome.class), null, null, 100, null);

    private final @Nullable String job;
    private final @Nullable String node;
    private final @Nullable Instant slot;
    private final Set<HistoryOutcome> outcomes;
    private final @Nullable Instant from;
    private final @Nullable Instant until;
    private final int limit;
    private final @Nullable String after;

    private HistoryQuery(
            @Nullable String job,
            @Nullable String node,
            @Nullable Instant slot,
            Set<HistoryOutcome> outcomes,
            @Nullable Instant from,
            @Nullable Instant until,
            int limit,
            @Nullable String after) {
        this.job = job;
        this.node = node;
        this.slot = slot;
        this.outcomes = outcomes;
        this.from = from;
        this.until = until;
        this.limit = limit;
        this.after = after;
    }

    /**
     * All entries, in pages of 100.
     *
     * @return the query
     */
    public static HistoryQuery all() {
        return ALL;
    }

    /**
     * Entries of one job.
     *
     * @param name the job's name, exactly; null for all jobs
     * @return a copy
     */
    public HistoryQuery job(@Nullable String name) {
        return new HistoryQuery(name, node, slot, outcomes, from, until, limit, after);
    }

    /**
     * Entries of one node.
     *
     * @param id the node's id, exactly; null for all nodes
     * @return a copy
     */
    public HistoryQuery node(@Nullable String id) {
        return new HistoryQuery(job, id, slot, outcomes, from, until, limit, after);
    }

    /**
     * Entries of one scheduled time.
     *
     * @param scheduled the scheduled time; null for all
     * @return a copy
     */
    public HistoryQuery slot(@Nullable Instant scheduled) {
        return new HistoryQuery(job, node, scheduled, outcomes, from, until, limit, after);
    }

    /**
     * Entries with one of some outcomes.
     *
     * @param some the outcomes; empty for all
     * @return a copy
     */
    public HistoryQuery outcomes(Collection<HistoryOutcome> some) {
        EnumSet<HistoryOutcome> set = EnumSet.noneOf(HistoryOutcome.class);
        set.addAll(some);
        return new HistoryQuery(job, node, slot, set, from, until, limit, after);
    }

    /**
     * Entries from a time on.
     *
     * @param time the earliest {@link HistoryEntry#at()}; null for no limit
     * @return a copy
     */
    public HistoryQuery from(@Nullable Instant time) {
        return new HistoryQuery(job, node, slot, outcomes, time, until, limit, after);
    }

    /**
     * Entries before a time.
     *
     * @param time {@link HistoryEntry#at()} lies before it; null for no limit
     * @return a copy
     */
    public HistoryQuery until(@Nullable Instant time) {
        return new HistoryQuery(job, node, slot, outcomes, from, time, limit, after);
    }

    /**
     * How many entries a page has at the most.
     *
     * @param entries a number from 1 to 1000
     * @return a copy
     * @throws IllegalArgumentException if it is another number
     */
    public HistoryQuery limit(int entries) {
        if (entries < 1 || entries > MOST) {
            throw new IllegalArgumentException(
                    "The limit '" + entries + "' of a page of the history is not from 1 to " + MOST + "; choose one");
        }
        return new HistoryQuery(job, node, slot, outcomes, from, until, entries, after);
    }

    /**
     * Entries that follow a page.
     *
     * @param token what {@link HistoryPage#next()} of the page before said; null for the first page
     * @return a copy
     */
    public HistoryQuery after(@Nullable String token) {
        return new HistoryQuery(job, node, slot, outcomes, from, until, limit, token);
    }

    /**
     * The most entries of a page.
     *
     * @return a number from 1 to 1000
     */
    public int limit() {
        return limit;
    }

    /**
     * The page before.
     *
     * @return its token, or empty for the first page
     */
    public Optional<String> after() {
        return Optional.ofNullable(after);
    }

    /**
     * The earliest time.
     *
     * @return an instant, or empty for no limit
     */
    public Optional<Instant> from() {
        return Optional.ofNullable(from);
    }

    /**
     * The time before which entries lie.
     *
     * @return an instant, or empty for no limit
     */
    public Optional<Instant> until() {
        return Optional.ofNullable(until);
    }

    /**
     * The outcomes asked for.
     *
     * @return an unmodifiable set; empty for all
     */
    public Set<HistoryOutcome> outcomes() {
        return Collections.unmodifiableSet(outcomes);
    }

    /**
     * Whether an entry is asked for. The page has no say.
     *
     * @param entry the entry
     * @return true if job, node, slot, outcome and time match
     */
    public boolean matches(HistoryEntry entry) {
        return (job == null || job.equals(entry.job()))
                && (node == null || node.equals(entry.node()))
                && (slot == null || slot.equals(entry.slot().orElse(null)))
                && (outcomes.isEmpty() || outcomes.contains(entry.outcome()))
                && (from == null || !entry.at().isBefore(from))
                && (until == null || entry.at().isBefore(until));
    }
}
