package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThrottleTest {
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final Throttle throttle = new Throttle();

    @Test
    void oneEventAMinuteGoesThroughAndTellsHowManyDidNot() {
        long start = Long.MAX_VALUE - MINUTE / 2;

        assertThat(throttle.admit("job", start)).isZero();
        assertThat(throttle.admit("job", start + 1)).isEqualTo(-1);
        assertThat(throttle.admit("job", start + MINUTE - 1)).isEqualTo(-1);
        assertThat(throttle.admit("job", start + MINUTE)).isEqualTo(2);
        assertThat(throttle.admit("job", start + 2 * MINUTE)).isZero();
    }

    @Test
    void keysDoNotHoldOneAnotherBack() {
        assertThat(throttle.admit("one", 0)).isZero();
        assertThat(throttle.admit("other", 0)).isZero();
    }

    @Test
    void quietKeysAreForgotten() {
        for (int i = 0; i < 100_000; i++) {
            throttle.admit("job" + i, i * MINUTE / 100);
        }
        assertThat(throttle.size()).isLessThanOrEqualTo(1_101);
    }
}
