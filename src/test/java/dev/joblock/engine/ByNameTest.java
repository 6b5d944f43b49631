package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The calls that replace hand-written locks. */
class ByNameTest {
    private static final Denied HELD =
            Denied.by(DenialReason.HELD, new RecordedRun("n2", "", null, Instant.EPOCH, 7), null, false);

    private final ManualEngine engine = engine();

    private static ManualEngine engine() {
        JobLockPolicy spaced = ManualEngine.policy("spaced");
        spaced.setMinInterval("5m");
        return new ManualEngine(spaced);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void lockHasAFixedLeaseAndIsNotRenewed() {
        assertThat(engine.service.addJobLock("job")).isTrue();

        engine.passSeconds(100);

        assertThat(engine.store.calls()).containsExactly("acquire job 30000");
        assertThat(engine.threads.planned()).isZero();
    }

    @Test
    void endOfAForgottenLockIsNoLossAndLeavesNothing() {
        for (int i = 0; i < 2_000; i++) {
            assertThat(engine.service.addJobLock("job" + i)).isTrue();
        }
        engine.passSeconds(30);
        engine.service.addJobLock("next");

        // Held, watched and known by its name: the last one only.
        assertThat(engine.service.size()).isEqualTo(3);
        assertThat(engine.events.count("lost")).isZero();
        assertThat(engine.logs.warnings()).isEmpty();
    }

    /** After a standstill of the machine the lease is believed again just between two looks at it. */
    @Test
    void lockOfTheRunThatIsBelievedAgainMeanwhileIsNotTakenTwice() {
        engine.service.run(JobRun.exclusive("job"), () -> {
            engine.time.step(Duration.ofSeconds(5));

            assertThat(engine.service.addJobLock("job")).isTrue();
        });

        assertThat(engine.store.calls()).containsExactly("acquire job 30000", "renew job 30000", "release job");
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void releaseFreesOnlyWhatThisServiceTook() {
        engine.store.then(HELD);
        assertThat(engine.service.addJobLock("job")).isFalse();
        engine.store.calls();

        engine.service.releaseJobLock("job");
        engine.service.releaseJobLock("never heard of");

        assertThat(engine.store.calls()).isEmpty();
        assertThat(engine.events.heard()).containsExactly("denied job: held by n2 since 1970-01-01T00:00:00Z");
    }

    @Test
    void anotherThreadMayRelease() {
        engine.service.addJobLock("job");

        CompletableFuture.runAsync(() -> engine.service.releaseJobLock("job")).join();

        assertThat(engine.store.calls()).containsExactly("acquire job 30000", "release job");
        engine.service.releaseJobLock("job");
        assertThat(engine.store.calls()).isEmpty();
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void lockIsKnownByItsNameAlsoAfterTheWallClockWasSet() {
        engine.service.addJobLock("job");
        engine.time.step(Duration.ofHours(1));
        engine.service.addJobLock("other");
        engine.store.calls();

        engine.service.releaseJobLock("job");

        assertThat(engine.store.calls()).containsExactly("release job");
    }

    @Test
    void storeThatIsDownMeansNo() {
        engine.store.fail(StoreFault.UNREACHABLE, false);

        assertThat(engine.service.addJobLock("job")).isFalse();
        assertThat(engine.service.seize("job")).isFalse();
    }

    @Test
    void seizeAsksWithTheIntervalOfThePolicy() {
        JobRun[] asked = new JobRun[1];
        engine.store.then(Denied.notOwed(Instant.EPOCH));
        try (ManualEngine other = new ManualEngine(java.util.List.of(new dev.joblock.JobLockListener() {
            @Override
            public void onDenied(JobRun run, Denied denied) {
                asked[0] = run;
            }
        }))) {
            other.store.then(Denied.notOwed(Instant.EPOCH));
            other.service.seize("job");
            assertThat(asked[0].rule()).isEqualTo(JobRun.Rule.EXCLUSIVE);
        }
        assertThat(engine.service.seize("spaced")).isFalse();
        assertThat(engine.events.heard())
                .containsExactly("denied spaced: passed: the slot of 1970-01-01T00:00:00Z is " + "not owed");
        assertThat(engine.service.seize("spaced")).isTrue();
        assertThat(engine.store.calls()).containsExactly("acquire spaced 30000", "acquire spaced 30000");
    }

    @Test
    void codeThatForgetsToReleaseDoesNotKeepTheRunThatItIsPartOf() {
        engine.service.run(JobRun.exclusive("job"), () -> {
            assertThat(engine.service.addJobLock("job")).isTrue();
            assertThat(engine.service.seize("job")).isTrue();
        });

        assertThat(engine.store.calls()).containsExactly("acquire job 30000", "release job");
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void releaseByNameInsideARunOfThatNameDoesNotEndTheRun() {
        engine.service.run(JobRun.exclusive("job"), () -> {
            engine.service.addJobLock("job");
            engine.service.releaseJobLock("job");
            assertThat(engine.service.current().orElseThrow().isHeld()).isTrue();
        });

        assertThat(engine.store.calls()).containsExactly("acquire job 30000", "release job");
    }
}
