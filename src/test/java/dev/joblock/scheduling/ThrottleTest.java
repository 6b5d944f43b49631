package dev.joblock.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThrottleTest {

    private final Throttle throttle = new Throttle();

    @Test
    void oneEventAMinuteGoesThroughAndTellsHowManyDidNot() {
        assertThat(throttle.admit("job", 0)).isZero();
        assertThat(throttle.admit("job", 1)).isEqualTo(-1);
        assertThat(throttle.admit("job", TimeUnit.SECONDS.toNanos(59))).isEqualTo(-1);
        assertThat(throttle.admit("other", 2)).isZero();
        assertThat(throttle.admit("job", TimeUnit.SECONDS.toNanos(60))).isEqualTo(2);
    }

    @Test
    void namesWithoutEndAreForgotten() {
        for (int i = 0; i < 5_000; i++) {
            assertThat(throttle.admit("job " + i, i)).isZero();
        }
        assertThat(throttle.admit("job 0", 6_000)).isZero();
        assertThat(throttle.admit("job 4999", 6_000)).isEqualTo(-1);
    }
}
