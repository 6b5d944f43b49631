package dev.joblock.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Slot;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Date;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.TriggerContext;
import org.springframework.scheduling.support.CronTrigger;

/** Slots of cron tasks: the trigger's own instants, whenever the run comes. */
class SlotTriggerTest {

    private static final Instant START = Instant.parse("2026-03-01T11:59:58.750Z");

    private final SlotTrigger trigger = trigger("*/2 * * * * *", "UTC");

    private static SlotTrigger trigger(String cron, String zone) {
        return new SlotTrigger(new CronTrigger(cron, ZoneId.of(zone)));
    }

    /** What a scheduler says of the last run. */
    record Last(@Nullable Instant scheduled, @Nullable Instant completed) implements TriggerContext {
        @Override
        public @Nullable Date lastScheduledExecutionTime() {
            return scheduled == null ? null : Date.from(scheduled);
        }

        @Override
        public @Nullable Date lastActualExecutionTime() {
            return lastScheduledExecutionTime();
        }

        @Override
        public @Nullable Date lastCompletionTime() {
            return completed == null ? null : Date.from(completed);
        }

        public @Nullable Instant lastScheduledExecution() {
            return scheduled;
        }

        public @Nullable Instant lastActualExecution() {
            return scheduled;
        }

        public @Nullable Instant lastCompletion() {
            return completed;
        }
    }

    private Instant first(SlotTrigger cron, Instant before) {
        return Objects.requireNonNull(cron.nextExecutionTime(new Last(before, before)))
                .toInstant();
    }

    private static Instant next(SlotTrigger cron, Instant scheduled, Instant completed) {
        return Objects.requireNonNull(cron.nextExecutionTime(new Last(scheduled, completed)))
                .toInstant();
    }

    private static Slot taken(SlotTrigger cron) {
        return Objects.requireNonNull(cron.take(), "no slot");
    }

    @Test
    void theSlotIsTheInstantThatTheTriggerReturnedAndTheOneAfterIt() {
        first(trigger, START);

        Slot slot = taken(trigger);

        assertThat(slot.scheduled()).isEqualTo("2026-03-01T12:00:00Z");
        assertThat(slot.next()).contains(Instant.parse("2026-03-01T12:00:02Z"));
    }

    @Test
    void aRunThatTookLongDoesNotMoveTheNextSlotsName() {
        Instant one = first(trigger, START);
        taken(trigger);
        next(trigger, one, one.plusMillis(4_321));

        Slot slot = taken(trigger);

        assertThat(slot.scheduled()).isEqualTo("2026-03-01T12:00:06Z");
        assertThat(slot.next()).contains(Instant.parse("2026-03-01T12:00:08Z"));
    }

    @Test
    void aSchedulerThatAsksForTheNextTimeWhileTheRunBeginsGetsTheSlotOfThatRun() {
        Instant one = first(trigger, START);
        Instant two = next(trigger, one, one.plusMillis(1));

        assertThat(taken(trigger).scheduled()).isEqualTo(one);
        next(trigger, two, two.plusMillis(1));
        assertThat(taken(trigger).scheduled()).isEqualTo(two);
    }

    @Test
    void aRunThatNeverBeganIsNotTakenForALaterOne() {
        Instant one = first(trigger, START);
        Instant two = next(trigger, one, one.plusMillis(1));
        next(trigger, two, two.plusMillis(1));

        assertThat(taken(trigger).scheduled()).isEqualTo(two);
    }

    @Test
    void nodesOfDifferentPhaseNameTheSameSlot() {
        SlotTrigger other = trigger("*/2 * * * * *", "UTC");
        first(trigger, START);
        first(other, START.plusMillis(1_100));

        assertThat(taken(other)).isEqualTo(taken(trigger));
    }

    @Test
    void theDefinitionIsExpressionAndZone() {
        SlotTrigger other = trigger("*/2 * * * * *", "Europe/Berlin");
        first(trigger, START);
        first(other, START);

        assertThat(taken(other).definition()).isNotEqualTo(taken(trigger).definition());
        assertThat(other.schedule()).isEqualTo("cron */2 * * * * * Europe/Berlin");
    }

    @Test
    void theRepeatedHourOfAutumnGivesTwoSlots() {
        SlotTrigger berlin = trigger("0 30 * * * *", "Europe/Berlin");
        Instant summer = first(berlin, Instant.parse("2026-10-25T00:10:00Z"));
        Slot first = taken(berlin);
        next(berlin, summer, summer.plusSeconds(1));
        Slot second = taken(berlin);

        assertThat(first.scheduled()).isEqualTo("2026-10-25T00:30:00Z");
        assertThat(second.scheduled()).isEqualTo("2026-10-25T01:30:00Z");
    }

    @Test
    void theHourThatSpringLeavesOutHasNoSlot() {
        SlotTrigger berlin = trigger("0 30 2 * * *", "Europe/Berlin");
        first(berlin, Instant.parse("2026-03-28T12:00:00Z"));

        assertThat(taken(berlin).scheduled()).isEqualTo("2026-03-30T00:30:00Z");
    }

    @Test
    void nextAndPreviousFireAreToldWhileARunIsAtWorkAndAfterIt() {
        assertThat(trigger.next()).isNull();
        Instant first = first(trigger, START);
        assertThat(trigger.next()).isEqualTo(first);
        assertThat(trigger.previous()).isNull();

        taken(trigger);
        assertThat(trigger.next()).isEqualTo(first.plusSeconds(2));
        assertThat(trigger.previous()).isEqualTo(first);

        Instant second = next(trigger, first, first.plusSeconds(7));
        assertThat(trigger.next()).isEqualTo(second).isEqualTo(first.plusSeconds(8));
        assertThat(trigger.previous()).isEqualTo(first);
    }

    @Test
    void nextAndPreviousFireAreToldByASchedulerThatAsksWhileARunBegins() {
        Instant first = first(trigger, START);
        Instant second = next(trigger, first, first);

        assertThat(taken(trigger).scheduled()).isEqualTo(first);
        assertThat(trigger.previous()).isEqualTo(first);
        assertThat(trigger.next()).isEqualTo(second);
    }
}
