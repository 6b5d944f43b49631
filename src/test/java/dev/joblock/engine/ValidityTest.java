package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValidityTest {
    private final ManualTime time = new ManualTime();

    @ParameterizedTest
    @CsvSource({
        "PT0.001S, PT0.0009S",
        "PT1S, PT0.9S",
        "PT9.999S, PT8.9991S",
        "PT10S, PT9S",
        "PT30S, PT29S",
        "PT1440H, PT1439H59M59S"
    })
    void isATenthShorterThanTheLeaseAndAtMostASecond(Duration lease, Duration valid) {
        assertThat(new Validity(time, lease).remaining(time)).isEqualTo(valid.toNanos());
    }

    @Test
    void countsFromWhereItWasMade() {
        Validity validity = new Validity(time, Duration.ofSeconds(30));

        time.pass(Duration.ofSeconds(29).minusNanos(1));
        assertThat(validity.remaining(time)).isEqualTo(1);
        time.passNanos(1);
        assertThat(validity.remaining(time)).isZero();
        assertThat(validity.remainingInStore(time))
                .isEqualTo(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void isSuspectWhereTheWallClockHasGoneMoreThanASecondFurther() {
        Validity validity = new Validity(time, Duration.ofSeconds(30));

        time.pass(Duration.ofSeconds(10));
        time.step(Duration.ofSeconds(1));
        assertThat(validity.isSuspect(time)).isFalse();
        time.step(Duration.ofMillis(1));
        assertThat(validity.isSuspect(time)).isTrue();
    }

    @Test
    void isNotSuspectWhereTheWallClockIsSetBack() {
        Validity validity = new Validity(time, Duration.ofSeconds(30));

        time.step(Duration.ofHours(-1));

        assertThat(validity.isSuspect(time)).isFalse();
        assertThat(validity.remaining(time)).isEqualTo(Duration.ofSeconds(29).toNanos());
    }
}
