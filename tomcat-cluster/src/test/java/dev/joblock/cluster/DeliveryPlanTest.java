package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.cluster.Delivery.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeliveryPlanTest {

    private static final Instant BEGIN = Instant.parse("2026-11-30T06:00:00Z");
    private static final Duration GRACE = Duration.ofSeconds(15);
    private static final Duration GAP = Duration.ofSeconds(30);
    private static final List<Expected> FILES = IntStream.range(0, 500)
            .mapToObj(i -> new Expected("partner-" + i + ".csv", BEGIN.plusSeconds(i)))
            .toList();

    private final List<Delivery> plan = new DeliveryPlan(6, 0.03, GRACE, GAP).deliveries(FILES);

    @Test
    void theSameSeedGivesTheSamePlanAndAnotherOneAnother() {
        assertThat(new DeliveryPlan(6, 0.03, GRACE, GAP).deliveries(FILES)).isEqualTo(plan);
        assertThat(new DeliveryPlan(7, 0.03, GRACE, GAP).deliveries(FILES)).isNotEqualTo(plan);
    }

    @Test
    void everythingHappensAndMostIsInOrder() {
        Map<Kind, Long> kinds = plan.stream().collect(Collectors.groupingBy(Delivery::kind, Collectors.counting()));
        assertThat(kinds).containsOnlyKeys(Kind.values());
        assertThat(kinds.get(Kind.WHOLE)).isGreaterThan(400);
        assertThat(plan.stream().filter(Delivery::late).count()).isBetween(20L, 80L);
        assertThat(plan.stream().filter(delivery -> delivery.number() == 2).count())
                .isBetween(50L, 150L);
        assertThat(plan.stream().map(Delivery::name).distinct().count()).isBetween(470L, 495L);
    }

    @Test
    void theTimesAreThoseThatWereAgreedOrLaterThanTheGrace() {
        assertThat(plan).isSortedAccordingTo((a, b) -> a.at().compareTo(b.at()));
        Map<String, Instant> due = FILES.stream().collect(Collectors.toMap(Expected::name, Expected::at));
        Map<String, Instant> first = new HashMap<>();
        for (Delivery delivery : plan) {
            Instant before = first.putIfAbsent(delivery.name(), delivery.at());
            Instant expected = Objects.requireNonNull(due.get(delivery.name()));
            if (before != null) {
                assertThat(delivery.at()).isAfterOrEqualTo(before.plus(GAP));
            } else if (delivery.late()) {
                assertThat(delivery.at()).isAfter(expected.plus(GRACE));
            } else {
                assertThat(delivery.at()).isBeforeOrEqualTo(expected);
            }
        }
    }

    @Test
    void aFileThatIsSentAgainIsWhole() {
        assertThat(plan)
                .filteredOn(delivery -> delivery.number() == 2)
                .extracting(Delivery::kind)
                .containsOnly(Kind.WHOLE);
    }
}
