package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.JobLock;
import dev.joblock.JobRun;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long a lease has been held, by a clock in the hands of the test. The lease is 30 s. */
class HeldForTest {
    private final ManualEngine engine = new ManualEngine();

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void growsUntilTheRelease() {
        JobLock lock = engine.grant("job");
        assertThat(lock.heldFor()).isZero();
        engine.passSeconds(7);
        assertThat(lock.heldFor()).isEqualTo(Duration.ofSeconds(7));

        lock.release();
        engine.passSeconds(5);

        assertThat(lock.heldFor()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void endsWithTheLossAndNotWithTheReleaseThatFollows() {
        JobLock lock = engine.grant("job");
        engine.store.then(false);
        engine.passSeconds(10);
        assertThat(lock.isHeld()).isFalse();
        Duration held = lock.heldFor();
        engine.passSeconds(5);
        lock.release();

        assertThat(held).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(10));
        assertThat(lock.heldFor()).isEqualTo(held);
    }

    @Test
    void endsWithTheUnclaim() {
        JobLock lock = engine.grant(JobRun.exclusive("job").beforeStart());
        engine.passSeconds(2);
        lock.unclaim();
        engine.passSeconds(5);

        assertThat(lock.heldFor()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void isThatOfTheLeaseForWhoJoinsIt() {
        JobLock lock = engine.grant("job");
        engine.service.enter(lock);
        engine.passSeconds(3);
        JobLock joined = engine.grant("job");

        assertThat(joined.heldFor()).isEqualTo(Duration.ofSeconds(3));

        engine.service.leave(lock);
    }
}
