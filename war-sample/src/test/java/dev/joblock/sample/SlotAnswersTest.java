package dev.joblock.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotAnswersTest {

    private static final Instant FIRST = Instant.parse("2026-10-25T01:30:00Z");
    private static final Instant SECOND = FIRST.plusSeconds(2);

    @Test
    void answersToOneSlotOfOneJobStandTogetherInTheOrderOfNodes() {
        List<SlotAnswers> slots =
                SlotAnswers.group(List.of(answer("a", FIRST, "node2", "taken"), answer("a", FIRST, "node1", "ran")));

        assertThat(slots).singleElement().satisfies(slot -> {
            assertThat(slot.answers()).extracting(Answer::node).containsExactly("node1", "node2");
            assertThat(slot.runs()).isEqualTo(1);
        });
    }

    @Test
    void theNewestSlotComesFirstAndJobsAreSortedWithinIt() {
        List<SlotAnswers> slots = SlotAnswers.group(List.of(
                answer("b", FIRST, "node1", "ran"),
                answer("b", SECOND, "node1", "ran"),
                answer("a", SECOND, "node1", "ran")));

        assertThat(slots)
                .extracting(slot -> slot.job() + slot.slot())
                .containsExactly("a" + SECOND, "b" + SECOND, "b" + FIRST);
    }

    @Test
    void aRunThatHasNotEndedCountsAsARun() {
        List<SlotAnswers> slots =
                SlotAnswers.group(List.of(answer("a", FIRST, "node1", "running"), answer("a", FIRST, "node2", "ran")));

        assertThat(slots).singleElement().extracting(SlotAnswers::runs).isEqualTo(2L);
    }

    private static Answer answer(String job, Instant slot, String node, String answer) {
        return new Answer(job, slot, node, answer, null, null, null, slot);
    }
}
