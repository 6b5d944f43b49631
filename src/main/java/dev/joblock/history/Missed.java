package dev.joblock.history;

import dev.joblock.JobSummary;
import dev.joblock.RegisteredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a slot was missed by all nodes. Pure. */
final class Missed {

    private Missed() {}

    /**
     * The scheduled time of a slot that should have been run and was not.
     *
     * @param job the job and one of its triggers
     * @param summary its runs; null if none is known
     * @param now Redis time
     * @param tolerance how late a run may be
     * @param watched since when this is looked at
     */
    static Optional<Instant> slot(
            RegisteredJob job, @Nullable JobSummary summary, Instant now, Duration tolerance, Instant watched) {
        boolean shared = job.schedule().startsWith("cron ") || job.schedule().startsWith("daily ");
        Instant expected = expected(job, now.minus(tolerance), tolerance, watched);
        if (!job.isGuarded() || !shared || expected == null) {
            return Optional.empty();
        }
        boolean ran = summary != null
                && (!summary.at().isBefore(expected)
                        || summary.slot().map(slot -> !slot.isBefore(expected)).orElse(false));
        return ran ? Optional.empty() : Optional.of(expected);
    }

    /**
     * The last scheduled time before a moment. Of a scheduler that stands still, the next one lies back too; of a job that comes
     * more often than the tolerance, it is about that moment.
     */
    private static @Nullable Instant expected(RegisteredJob job, Instant before, Duration tolerance, Instant watched) {
        Instant next = job.next().orElse(null);
        Instant previous = job.previous().orElse(null);
        if (next != null && next.isBefore(before)) {
            return next;
        }
        if (previous == null || previous.isBefore(before)) {
            return previous;
        }
        boolean often = next != null && Duration.between(previous, next).compareTo(tolerance) < 0;
        return often && watched.isBefore(before) ? before : null;
    }
}
