package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.joblock.JobLock;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LockLostException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The run of a thread, and those that join it. */
class CurrentRunTest {
    private final ManualEngine engine = engine();

    private static ManualEngine engine() {
        JobLockPolicy shared = ManualEngine.policy("import*");
        shared.setLockName("imports");
        return new ManualEngine(shared);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void runIsCurrentWhileItsTaskRunsAndNotAfterwards() {
        engine.service.run(JobRun.exclusive("job"), () -> {
            assertThat(engine.service.current())
                    .get()
                    .extracting(JobLock::lockName)
                    .isEqualTo("job");
            assertThat(CompletableFuture.supplyAsync(engine.service::current).join())
                    .as("on another thread")
                    .isEmpty();
        });

        assertThat(engine.service.current()).isEmpty();
    }

    @Test
    void innermostRunIsCurrent() {
        engine.service.run(JobRun.exclusive("outer"), () -> {
            engine.service.run(
                    JobRun.exclusive("inner"),
                    () -> assertThat(engine.service.current())
                            .get()
                            .extracting(JobLock::lockName)
                            .isEqualTo("inner"));
            assertThat(engine.service.current())
                    .get()
                    .extracting(JobLock::lockName)
                    .isEqualTo("outer");
        });
        assertThat(engine.store.calls())
                .containsExactly("acquire outer 30000", "acquire inner 30000", "release inner", "release outer");
    }

    @Test
    void nestedRunOfTheSameLockNameJoinsAndTheLeaseEndsWithTheOuterOne() {
        long[] tokens = new long[2];
        engine.service.run(JobRun.exclusive("job"), () -> {
            tokens[0] = engine.service.current().orElseThrow().fencingToken();
            engine.service.run(
                    JobRun.exclusive("job"),
                    () -> tokens[1] = engine.service.current().orElseThrow().fencingToken());
            assertThat(engine.store.calls()).containsExactly("acquire job 30000");
            assertThat(engine.service.current().orElseThrow().isHeld()).isTrue();
        });

        assertThat(tokens[1]).isEqualTo(tokens[0]);
        assertThat(engine.store.calls()).containsExactly("release job");
        assertThat(engine.events.heard()).containsExactly("granted job", "ended job");
    }

    @Test
    void jobsThatShareALockNameJoin() {
        engine.service.run(
                JobRun.exclusive("importA"),
                () -> assertThat(engine.service
                                .run(JobRun.exclusive("importB"), () -> {})
                                .isGranted())
                        .isTrue());

        assertThat(engine.store.calls()).containsExactly("acquire imports 30000", "release imports");
    }

    @Test
    void leaseEndsWithTheLastParticipantWhicheverThatIs() {
        JobLock outer = engine.grant("job");
        engine.service.enter(outer);
        JobLock joined = engine.grant("job");
        engine.service.leave(outer);

        outer.release();
        outer.release();
        assertThat(engine.store.calls()).containsExactly("acquire job 30000");
        assertThat(joined.isHeld()).isTrue();
        engine.passSeconds(10);
        assertThat(engine.store.calls()).containsExactly("renew job 30000");

        joined.release(new IllegalStateException("in the background"));
        joined.release();
        assertThat(engine.store.calls()).containsExactly("release job");
        assertThat(engine.events.heard()).containsExactly("granted job", "ended job: in the background");
        assertThat(joined.isHeld()).isFalse();
        assertThat(outer.isHeld()).isFalse();
    }

    @Test
    void firstFailureOfTheParticipantsIsTold() {
        JobLock outer = engine.grant("job");
        engine.service.enter(outer);
        JobLock joined = engine.grant("job");
        engine.service.leave(outer);

        joined.release(new IllegalStateException("inner"));
        outer.release(new IllegalStateException("outer"));

        assertThat(engine.events.heard()).endsWith("ended job: inner");
    }

    @Test
    void joinedPartThatHasEndedIsNotHeldThoughTheLeaseGoesOn() {
        JobLock outer = engine.grant("job");
        engine.service.enter(outer);
        JobLock joined = engine.grant("job");

        joined.close();

        assertThat(outer.isHeld()).isTrue();
        assertThat(joined.isHeld()).isFalse();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(joined::ensureHeld)
                .withMessageContaining("'job'");
        outer.ensureHeld();
    }

    @Test
    void unclaimOfAJoinedPartEndsThatPartAlone() {
        JobLock outer = engine.grant("job");
        engine.service.enter(outer);
        JobLock joined = engine.grant(JobRun.exclusive("job").beforeStart());

        joined.unclaim();

        assertThat(outer.isHeld()).isTrue();
        assertThat(engine.store.calls()).containsExactly("acquire job 30000");
        outer.release();
        assertThat(engine.store.calls()).containsExactly("release job");
    }

    @Test
    void lossIsSeenByAllParticipants() {
        JobLock outer = engine.grant("job");
        engine.service.enter(outer);
        JobLock joined = engine.grant("job");
        engine.store.then(false);

        engine.passSeconds(10);

        assertThat(joined.isHeld()).isFalse();
        assertThat(outer.isHeld()).isFalse();
        assertThat(engine.events.count("lost")).isEqualTo(1);
    }

    @Test
    void runWhoseLeaseIsLostIsNotJoined() {
        JobLock outer = engine.grant("job");
        engine.service.enter(outer);
        engine.store.then(false);
        engine.passSeconds(10);
        engine.store.calls();

        engine.grant("job");

        assertThat(engine.store.calls()).containsExactly("acquire job 30000");
    }

    @Test
    void leaveEndsAllThatWasEnteredAfterIt() {
        JobLock a = engine.grant("a");
        JobLock b = engine.grant("b");
        JobLock c = engine.grant("c");
        engine.service.enter(a);
        engine.service.enter(b);
        engine.service.enter(c);

        engine.service.leave(b);
        assertThat(engine.service.current()).containsSame(a);
        engine.service.leave(c);
        assertThat(engine.service.current()).as("not entered any more").containsSame(a);
        engine.service.leave(a);
        assertThat(engine.service.current()).isEmpty();
        engine.service.leave(a);
    }
}
