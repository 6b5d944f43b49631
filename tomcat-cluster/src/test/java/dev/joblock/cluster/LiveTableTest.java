package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LiveTableTest {

    private static final Instant SLOT = Instant.parse("2026-10-25T01:30:00Z");
    private static final Instant SOON = SLOT.plusMillis(100);
    private static final Instant LATE = SLOT.plusMillis(1_501);

    private final LiveTable table = new LiveTable(List.of("node1", "node2", "node3", "node4"), ZoneOffset.UTC, SLOT);

    @Test
    void aSlotThatAllNodesHaveAnsweredIsOneLine() {
        List<String> lines = table.add(
                List.of(
                        answer("node3", "taken"),
                        answer("node2", "ran"),
                        answer("node1", "taken"),
                        answer("node4", "passed")),
                SOON);

        assertThat(lines)
                .containsExactly(
                        "01:30:00  checkDeliveries           taken      RAN        taken      passed     one run");
        assertThat(table.header())
                .isEqualTo("slot      job                       node1      node2      node3      node4      verdict");
    }

    @Test
    void aLineWaitsForAllNodesWhileThereIsTime() {
        assertThat(table.add(List.of(answer("node1", "ran")), SOON)).isEmpty();
        assertThat(table.add(List.of(), SLOT.plusMillis(1_500))).isEmpty();
        assertThat(table.add(List.of(answer("node2", "taken")), LATE))
                .containsExactly(
                        "01:30:00  checkDeliveries           RAN        taken      -          -          one run");
    }

    @Test
    void aLineIsWrittenOnceHoweverOftenItsAnswersAreReadAgain() {
        List<Answer> all = List.of(
                answer("node1", "ran"), answer("node2", "taken"), answer("node3", "taken"), answer("node4", "taken"));

        assertThat(table.add(all, SOON)).hasSize(1);
        assertThat(table.add(all, LATE)).isEmpty();
        assertThat(table.add(List.of(answer("node1", "ran")), LATE)).isEmpty();
    }

    @Test
    void aRunThatGoesOnIsShownAsSuch() {
        assertThat(table.add(List.of(answer("node1", "running")), LATE))
                .singleElement()
                .asString()
                .contains("RUNS")
                .endsWith("one run");
    }

    @Test
    void aRunGoesBeforeADenialOfTheSameNode() {
        assertThat(table.add(List.of(answer("node1", "held"), answer("node1", "ran")), LATE))
                .singleElement()
                .asString()
                .contains("RAN");
        Instant next = SLOT.plusSeconds(2);
        Answer ran = new Answer(SampleJob.CHECK_DELIVERIES, next, "node1", "ran", null);
        Answer denied = new Answer(SampleJob.CHECK_DELIVERIES, next, "node1", "taken", "node1");
        assertThat(table.add(List.of(ran, denied), next.plusSeconds(2)))
                .singleElement()
                .asString()
                .contains("RAN");
    }

    @Test
    void severalRunsOfOneSlotAreCountedAloud() {
        List<Answer> all =
                List.of(answer("node1", "ran"), answer("node2", "ran"), answer("node3", "ran"), answer("node4", "ran"));

        assertThat(table.add(all, SOON)).singleElement().asString().endsWith("4 RUNS");
    }

    @Test
    void aSlotThatNobodyRanNamesTheHolder() {
        assertThat(table.add(List.of(answer("node1", "held", "node4"), answer("node2", "held", "node4")), LATE))
                .singleElement()
                .asString()
                .endsWith("no run: node4 still has it");
        Instant next = SLOT.plusSeconds(2);
        Answer down = new Answer(SampleJob.CHECK_DELIVERIES, next, "node1", "store down", null);
        assertThat(table.add(List.of(down), next.plusSeconds(2)))
                .singleElement()
                .asString()
                .endsWith("no run");
    }

    @Test
    void slotsBeforeTheBeginningAreLeftOut() {
        Answer early = new Answer(SampleJob.CHECK_DELIVERIES, SLOT.minusMillis(1), "node1", "ran", null);

        assertThat(table.add(List.of(early), LATE)).isEmpty();
    }

    @Test
    void linesComeInTheOrderOfSlotsAndThenOfJobs() {
        Instant next = SLOT.plusSeconds(2);
        List<String> lines = table.add(
                List.of(
                        new Answer(SampleJob.CHECK_DELIVERIES, next, "node1", "ran", null),
                        new Answer(SampleJob.REMIND_PARTNERS, SLOT, "node1", "ran", null),
                        new Answer(SampleJob.CHECK_DELIVERIES, SLOT, "node1", "ran", null)),
                next.plusSeconds(2));

        assertThat(lines)
                .extracting(line -> line.substring(0, 26).trim())
                .containsExactly("01:30:00  checkDeliveries", "01:30:00  remindPartners", "01:30:02  checkDeliveries");
    }

    @Test
    void anIntervalJobIsGivenTheTimeInWhichEachNodeAsksOnce() {
        Answer ran = new Answer(SampleJob.POLL_PARTNERS, SLOT, "node1", "ran", null);

        assertThat(table.add(List.of(ran), SLOT.plusSeconds(5))).isEmpty();
        assertThat(table.add(List.of(), SLOT.plusSeconds(6))).hasSize(1);
    }

    @Test
    void theLegendNamesEveryJob() {
        for (SampleJob job : SampleJob.values()) {
            assertThat(LiveTable.legend()).anyMatch(line -> line.contains(job.jobName() + " "));
        }
    }

    private static Answer answer(String node, String answer) {
        return answer(node, answer, null);
    }

    private static Answer answer(String node, String answer, @Nullable String holder) {
        return new Answer(SampleJob.CHECK_DELIVERIES, SLOT, node, answer, holder);
    }
}
