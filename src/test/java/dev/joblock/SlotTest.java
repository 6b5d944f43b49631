package dev.joblock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlotTest {
    private static final Instant DUE = Instant.parse("2026-10-25T01:30:00Z");

    @ParameterizedTest
    @CsvSource({
        "PT0.001S, PT0.5S",
        "PT1S, PT0.5S",
        "PT1.002S, PT0.501S",
        "PT2S, PT1S",
        "PT20S, PT10S",
        "PT20.002S, PT10S",
        "PT24H, PT10S"
    })
    void mayLieAheadHalfTheDistanceToTheNextButAtLeastHalfASecondAndAtMostTen(Duration distance, Duration allowance) {
        assertThat(Slot.of(DUE, DUE.plus(distance), "d").allowance()).isEqualTo(allowance);
    }

    @Test
    void lastOneMayLieAheadTenSeconds() {
        assertThat(Slot.last(DUE, null, "d").allowance()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void lastOneIsFollowedByNothingBeforeTheEnd() {
        Slot endless = Slot.last(DUE, null, "d");
        Slot ending = Slot.last(DUE, DUE.plusSeconds(60), "d");

        assertThat(endless.next()).isEmpty();
        assertThat(ending.scheduled()).isEqualTo(DUE);
        assertThat(ending.next()).contains(DUE.plusSeconds(60).plusMillis(1));
    }

    @Test
    void lastOneThatIsLateIsMovedBackToTheEndSoThatItIsTheSameOnEveryNode() {
        Instant end = DUE.plusSeconds(60);

        assertThat(Slot.last(end.plusSeconds(5), end, "d")).isEqualTo(Slot.last(end.plusSeconds(9), end, "d"));
        assertThat(Slot.last(end.plusSeconds(5), end, "d").scheduled()).isEqualTo(end);
        assertThat(Slot.last(end, end, "d").next()).contains(end.plusMillis(1));
    }

    @Test
    void nextThatIsNotAfterItIsRefused() {
        for (Instant next : new Instant[] {DUE, DUE.minusMillis(1)}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Slot.of(DUE, next, "d"))
                    .withMessage("Slot scheduled at 2026-10-25T01:30:00Z has its next fire at " + next
                            + ", which is not after it");
        }
        assertThat(Slot.of(DUE, DUE.plusMillis(1), "d").next()).contains(DUE.plusMillis(1));
    }

    @Test
    void isKnownByTimesAndDefinition() {
        Slot slot = Slot.of(DUE, DUE.plusSeconds(1), "d");

        assertThat(slot)
                .isEqualTo(Slot.of(DUE, DUE.plusSeconds(1), "d"))
                .hasSameHashCodeAs(Slot.of(DUE, DUE.plusSeconds(1), "d"))
                .hasToString("2026-10-25T01:30:00Z")
                .isNotEqualTo(Slot.of(DUE, DUE.plusSeconds(2), "d"))
                .isNotEqualTo(Slot.of(DUE.minusSeconds(1), DUE.plusSeconds(1), "d"))
                .isNotEqualTo(Slot.of(DUE, DUE.plusSeconds(1), "e"))
                .isNotEqualTo(Slot.last(DUE, null, "d"))
                .isNotEqualTo("slot");
    }
}
