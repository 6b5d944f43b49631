package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Releases and un-claims that the store does not confirm at once. */
class EndingsTest {
    private final ManualEngine engine = new ManualEngine();

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void releaseThatFailsIsRepeatedUntilItIsConfirmedAndThenHeard() {
        JobLock lock = engine.grant("job");
        engine.store.fail(StoreFault.UNREACHABLE, false);

        lock.release(new IllegalStateException("boom"));
        assertThat(lock.isHeld()).isFalse();
        engine.passSeconds(5);
        assertThat(engine.store.calls()).hasSizeBetween(10, 16).endsWith("release job");
        assertThat(engine.events.heard()).containsExactly("granted job");

        engine.store.recover();
        engine.pass(Duration.ofMillis(500));
        assertThat(engine.store.calls()).containsExactly("release job");
        assertThat(engine.events.heard()).containsExactly("ended job: boom");
        assertThat(engine.service.size()).isZero();
        engine.passSeconds(60);
        assertThat(engine.store.calls()).isEmpty();
    }

    @Test
    void releaseIsGivenUpWhenTheLeaseIsOverInTheStoreAsWell() {
        JobLock lock = engine.grant("job");
        engine.passSeconds(5);
        engine.store.fail(StoreFault.UNREACHABLE, false);
        lock.release();

        engine.pass(Duration.ofMillis(24_900));
        assertThat(engine.events.heard()).containsExactly("granted job");
        engine.passSeconds(1);

        assertThat(engine.events.heard()).containsExactly("ended job");
        assertThat(engine.logs.warnings())
                .containsExactly("Lock 'job': release was not confirmed (p:job: cannot be reached); "
                        + "the lease is over by now");
        assertThat(engine.service.size()).isZero();
        assertThat(engine.threads.planned()).isZero();
    }

    @Test
    void releaseThatAStoreBreaksItsContractInIsRepeatedToo() {
        JobLock lock = engine.grant("job");
        engine.store.thenDo(() -> {
            throw new IllegalStateException("closed");
        });
        engine.store.thenDo(() -> {
            throw new NoClassDefFoundError("gone");
        });

        lock.release();
        engine.passSeconds(1);

        assertThat(engine.events.heard()).containsExactly("granted job", "ended job");
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void releaseOfALockThatSomebodyTookOverIsALossHeardBeforeTheEnd() {
        JobLock lock = engine.grant("job");
        engine.store.then(false);

        lock.release();

        assertThat(engine.events.heard())
                .containsExactly(
                        "granted job",
                        "lost job: it was taken over, or its record removed, before its run had ended",
                        "ended job");
    }

    @Test
    void releaseWhoseFirstAnswerWasLostIsNoLossThoughTheSecondIsNo() {
        JobLock lock = engine.grant("job");
        engine.store.thenFail(StoreFault.TIMEOUT, true).then(false);

        lock.release();
        engine.passSeconds(1);

        assertThat(engine.store.calls()).containsExactly("acquire job 30000", "release job", "release job");
        assertThat(engine.events.heard()).containsExactly("granted job", "ended job");
    }

    @Test
    void releaseOverStaleConnectionsIsRepeatedAtOnceAndItsNoIsNoLoss() {
        JobLock lock = engine.grant("job");
        engine.store
                .thenFail(StoreFault.DISCONNECTED, true)
                .thenFail(StoreFault.DISCONNECTED, true)
                .then(false);

        lock.release();

        assertThat(engine.store.calls()).hasSize(4).endsWith("release job");
        assertThat(engine.events.heard()).containsExactly("granted job", "ended job");
    }

    @Test
    void nextAskOfThisNodeWaitsForTheReleaseAndIsNotSentBeforeIt() {
        JobLock lock = engine.grant("job");
        engine.store.thenFail(StoreFault.TIMEOUT, true);
        lock.release();
        engine.store.calls();

        CompletableFuture<JobLock> next = CompletableFuture.supplyAsync(() -> engine.grant("job"));
        engine.pass(Duration.ofMillis(50));

        assertThat(next.join().isHeld()).isTrue();
        assertThat(engine.store.calls()).containsExactly("release job", "acquire job 30000");
    }

    @Test
    void askIsDeniedUnsentWhileTheReleaseStaysUnconfirmedAndSaysWhy() {
        JobLock lock = engine.grant("job");
        engine.store.fail(StoreFault.UNREACHABLE, false);
        lock.release();
        engine.store.calls();

        Denied denied = ManualEngine.denied(engine.service.tryLock(JobRun.exclusive("job")));

        assertThat(denied)
                .hasToString(
                        "store down: cannot be reached, this node's last release of the lock is not confirmed yet: "
                                + "p:job: cannot be reached");
        assertThat(engine.store.calls()).isEmpty();
        assertThat(engine.service.tryLock(JobRun.exclusive("other")).isGranted())
                .as("another lock is not waited for")
                .isFalse();
        assertThat(engine.store.calls()).containsExactly("acquire other 30000");
    }

    @Test
    void askThatWaitsForAReleaseIsDeniedWithItsNextFailureAndDoesNotUseUpItsBudget() {
        JobLock lock = engine.grant("job");
        engine.store.fail(StoreFault.UNREACHABLE, false);
        lock.release();
        engine.store.fail(StoreFault.LOADING, false);
        CompletableFuture<Denied> next = CompletableFuture.supplyAsync(
                () -> ManualEngine.denied(engine.service.tryLock(JobRun.exclusive("job"), Duration.ZERO)));
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> {
            engine.pass(Duration.ofMillis(500));
            return next.isDone();
        });

        assertThat(next.join().fault()).contains(StoreFault.LOADING);
    }

    @Test
    void askIsDeniedAsSlowWhileTheFirstTryOfTheReleaseHangs() {
        JobLock lock = engine.grant("job");
        engine.store.thenDo(() -> {
            Denied denied = ManualEngine.denied(engine.service.tryLock(JobRun.exclusive("job")));
            assertThat(denied.fault()).contains(StoreFault.SLOW);
        });

        lock.release();

        assertThat(engine.events.heard())
                .contains("ended job")
                .filteredOn(event -> event.startsWith("denied"))
                .hasSize(1);
    }

    @Test
    void unclaimThatFailsIsRepeatedUntilItIsConfirmed() {
        JobLock lock = engine.grant(JobRun.exclusive("job").beforeStart());
        engine.store.thenFail(StoreFault.TIMEOUT, true);

        lock.unclaim();
        assertThat(engine.events.heard()).containsExactly("granted job");
        engine.pass(Duration.ofMillis(50));

        assertThat(engine.store.calls()).containsExactly("acquire job 10000", "unclaim job", "unclaim job");
        assertThat(engine.events.heard()).containsExactly("unclaimed job");
        assertThat(engine.service.size()).isZero();
    }

    @Test
    void unclaimIsForRunsThatHaveNotBegun() {
        JobLock lock = engine.grant(JobRun.exclusive("job").beforeStart());
        lock.started();

        lock.unclaim();

        assertThat(lock.isHeld()).isTrue();
        assertThat(engine.store.calls()).containsExactly("acquire job 10000");
        lock.release();
        assertThat(engine.store.calls()).containsExactly("release job");
    }

    @Test
    void handleThatIsOverStaysOver() {
        JobLock unclaimed = engine.grant(JobRun.exclusive("a").beforeStart());
        unclaimed.unclaim();
        unclaimed.unclaim();
        unclaimed.release();
        unclaimed.started();
        JobLock released = engine.grant("b");
        released.release();
        released.release(new IllegalStateException());
        released.unclaim();
        released.started();
        engine.passSeconds(100);

        assertThat(engine.store.calls())
                .containsExactly("acquire a 10000", "unclaim a", "acquire b 30000", "release b");
        assertThat(engine.events.heard()).containsExactly("granted a", "unclaimed a", "granted b", "ended b");
        assertThat(unclaimed.isHeld()).isFalse();
        assertThat(released.isHeld()).isFalse();
    }

    @Test
    void nodeIsIdleOnlyWhenNothingIsHeldAndEveryReleaseIsConfirmed() {
        assertThat(engine.service.awaitIdle(Duration.ZERO)).isTrue();
        JobLock lock = engine.grant("job");
        assertThat(engine.service.awaitIdle(Duration.ofMillis(1))).isFalse();
        assertThat(engine.logs.warnings())
                .containsExactly("After 1ms this node still holds [lock 'job' of 'job', token 1, RUNNING]");
        List<Boolean> idleDuringTheRelease = new ArrayList<>();
        engine.store
                .thenDo(() -> idleDuringTheRelease.add(engine.service.awaitIdle(Duration.ZERO)))
                .thenDo(() -> {});
        lock.release();

        assertThat(idleDuringTheRelease).containsExactly(false);
        assertThat(engine.service.awaitIdle(Duration.ZERO)).isTrue();
    }

    @Test
    void waitForIdleEndsWithTheLastRelease() {
        JobLock lock = engine.grant("job");
        CompletableFuture<Boolean> idle =
                CompletableFuture.supplyAsync(() -> engine.service.awaitIdle(Duration.ofSeconds(30)));
        Awaitility.await().during(Duration.ofMillis(50)).until(() -> !idle.isDone());

        lock.release();

        assertThat(idle.join()).isTrue();
    }

    @Test
    void interruptEndsTheWaitForIdleAndTheFlagStays() {
        engine.grant("job");
        Thread.currentThread().interrupt();

        boolean idle = engine.service.awaitIdle(Duration.ofSeconds(30));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(idle).isFalse();
    }

    @Test
    void interruptedThreadReleasesAtOnceAndKeepsItsFlag() {
        JobLock lock = engine.grant("job");
        Thread.currentThread().interrupt();

        lock.release();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(engine.events.heard()).containsExactly("granted job", "ended job");
    }
}
