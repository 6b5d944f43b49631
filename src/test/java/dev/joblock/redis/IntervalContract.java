package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.StoreAnswer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Minimum intervals of triggers that share no slot, in Redis time. */
interface IntervalContract extends StoreFixture {
    /** The least tolerance; it is the one of intervals up to three seconds. */
    Duration TOLERANCE = Duration.ofMillis(50);

    @Test
    default void runWithinTheIntervalIsTooSoonAndSaysUntilWhen() {
        StoreAnswer first = complete(every(Duration.ofHours(1)), "n1");

        Denied denied = deny(every(Duration.ofHours(1)), "n2");

        assertThat(denied.reason()).isEqualTo(DenialReason.TOO_SOON);
        assertThat(denied.other().orElseThrow().node()).isEqualTo("n1");
        assertThat(denied.other().orElseThrow().since()).isEqualTo(first.since());
        Instant end = first.since().plus(Duration.ofHours(1));
        assertThat(denied.until().orElseThrow()).isBetween(end.minusSeconds(60), end);
    }

    @ParameterizedTest
    @CsvSource({"PT0.2S, PT0.05S", "PT1S, PT0.05S", "PT30S, PT0.5S", "PT1M, PT1S", "PT1H, PT1M"})
    default void askingAgainIsWorthItWithinTheToleranceBeforeTheEnd(Duration interval, Duration tolerance) {
        StoreAnswer first = complete(every(interval), "n1");
        StoreAnswer second = ask(every(interval), "n2");

        Instant end = first.since().plus(interval);
        second.denial()
                .ifPresent(denied -> assertThat(denied.until().orElseThrow()).isBetween(end.minus(tolerance), end));
        if (second.denial().isEmpty()) {
            assertThat(second.since()).isAfterOrEqualTo(end.minus(tolerance));
        }
    }

    /** Each ask is judged by the Redis time before and after it, so that a slow machine changes nothing. */
    @Test
    default void intervalIsOverAtItsEndLessTheTolerance() {
        Duration interval = Duration.ofMillis(300);
        Instant over = complete(every(interval), "n1").since().plus(interval).minus(TOLERANCE);
        int denials = 0;
        while (true) {
            Instant before = store().time();
            StoreAnswer answer = ask(every(interval), "n2");
            Instant after = store().time();
            if (answer.denial().isEmpty()) {
                assertThat(after).isAfterOrEqualTo(over);
                assertThat(answer.since()).isAfterOrEqualTo(over);
                break;
            }
            denials++;
            assertThat(answer.denial().orElseThrow().reason()).isEqualTo(DenialReason.TOO_SOON);
            assertThat(before).isBefore(over);
        }
        assertThat(denials).isPositive();
    }

    @Test
    default void lastStartAdvancesNominallySoThatItDoesNotDrift() {
        JobRun run = every(Duration.ofMillis(1_500));
        Instant nominal = complete(run, "n1").since();
        Duration untilBefore = Duration.between(nominal, until(run));
        for (int late : new int[] {200, 300}) {
            awaitPast(nominal.plusMillis(1_500 + late));

            Instant since = complete(run, "n2").since();

            Duration lateness = Duration.between(nominal.plusMillis(1_500), since);
            nominal = lateness.compareTo(Duration.ofMillis(750)) < 0 ? nominal.plusMillis(1_500) : since;
            assertThat(until(run)).as("%s late", lateness).isEqualTo(nominal.plus(untilBefore));
        }
    }

    @Test
    default void runThatIsHalfAnIntervalLateStartsTheCountAnew() {
        JobRun run = every(Duration.ofMillis(400));
        Instant first = complete(run, "n1").since();
        awaitPast(first.plusMillis(400 + 201));

        Instant second = complete(run, "n2").since();

        assertThat(ask(run, "n1").denial().flatMap(Denied::until))
                .hasValueSatisfying(until ->
                        assertThat(until).isBetween(second.plusMillis(400).minus(TOLERANCE), second.plusMillis(400)));
    }

    @Test
    default void fixedDelayCountsFromTheEnd() {
        Duration delay = Duration.ofSeconds(3);
        JobRun run = every(delay).countedFromEnd();
        Holder holder = holder("n1");
        Instant since = grant(run, holder).since();
        awaitPast(since.plusMillis(300));
        Instant before = store().time();
        assertThat(store().release(LOCK, holder)).isTrue();
        Instant after = store().time();

        Denied denied = deny(run, "n2");

        assertThat(denied.reason()).isEqualTo(DenialReason.TOO_SOON);
        assertThat(denied.until().orElseThrow()).isBetween(before.plus(delay).minus(TOLERANCE), after.plus(delay));
    }

    @Test
    default void fixedDelayIsGrantedWhenTheDelayAfterTheEndIsOver() {
        JobRun run = every(Duration.ofMillis(300)).countedFromEnd();
        Holder holder = holder("n1");
        grant(run, holder);
        Instant before = store().time();
        assertThat(store().release(LOCK, holder)).isTrue();
        Instant over = before.plusMillis(300).minus(TOLERANCE);

        StoreAnswer second = ask(run, "n2");
        assertThat(second.denial().isPresent() || !second.since().isBefore(over))
                .isTrue();
        awaitPast(store().time().plusMillis(300));
        complete(run, "n3");
    }

    @Test
    default void runningOrHeldDeniesBeforeTheIntervalDoesNotMatter() {
        Holder holder = holder("n1");
        grant(every(Duration.ofHours(1)), holder);

        assertThat(deny(every(Duration.ofHours(1)), "n2").reason()).isIn(DenialReason.HELD, DenialReason.TOO_SOON);
    }

    @Test
    default void heldMovesNoLastStart() {
        Holder manual = holder("n1");
        grant(manual(), manual);
        assertThat(deny(every(Duration.ofHours(1)), "n2").reason()).isEqualTo(DenialReason.HELD);
        assertThat(store().release(LOCK, manual)).isTrue();

        complete(every(Duration.ofHours(1)), "n2");
    }

    @Test
    default void lanesHaveIntervalsOfTheirOwn() {
        complete(JobRun.interval(LOCK, "first", Duration.ofHours(1)), "n1");
        complete(JobRun.interval(LOCK, "second", Duration.ofHours(1)), "n1");

        assertThat(deny(JobRun.interval(LOCK, "first", Duration.ofHours(1)), "n2")
                        .reason())
                .isEqualTo(DenialReason.TOO_SOON);
        assertThat(deny(JobRun.interval(LOCK, "second", Duration.ofHours(1)), "n2")
                        .reason())
                .isEqualTo(DenialReason.TOO_SOON);
    }

    @Test
    default void manualRunTouchesNoInterval() {
        StoreAnswer first = complete(every(Duration.ofHours(1)), "n1");
        complete(manual(), "n2");

        Denied denied = deny(every(Duration.ofHours(1)), "n2");

        assertThat(denied.reason()).isEqualTo(DenialReason.TOO_SOON);
        assertThat(denied.other().orElseThrow().since()).isEqualTo(first.since());
    }

    private JobRun every(Duration interval) {
        return JobRun.interval(LOCK, "poll", interval);
    }

    private Instant until(JobRun run) {
        return deny(run, "probe").until().orElseThrow();
    }
}
