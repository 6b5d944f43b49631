package dev.joblock.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.joblock.Denied;
import dev.joblock.JobRun;
import dev.joblock.StoreFault;
import dev.joblock.testing.Logs;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The lock lasts as long as the work, whatever that is and however it ends. */
class LockedCallsTest {

    private final FakeService service = new FakeService();
    private final LockedCalls calls = new LockedCalls(new FireLog());

    private @Nullable Object call(LockedCalls.Body body) throws Throwable {
        return call(false, body);
    }

    private @Nullable Object call(boolean dryRun, LockedCalls.Body body) throws Throwable {
        return calls.call(() -> service, "job", () -> JobRun.exclusive("job"), dryRun, null, body, () -> "denied");
    }

    @Test
    void aStageKeepsTheLockUntilItIsComplete() throws Throwable {
        CompletableFuture<String> work = new CompletableFuture<>();

        Object result = call(() -> work);

        assertThat(result).isSameAs(work);
        assertThat(service.events).containsExactly("granted job");
        work.complete("done");
        assertThat(service.events).containsExactly("granted job", "released job");
    }

    @Test
    @SuppressWarnings("FutureReturnValueIgnored")
    void aStageThatFailsEndsTheRunWithItsCause() throws Throwable {
        CompletableFuture<String> work = new CompletableFuture<>();
        call(() -> work.thenApply(String::trim));

        work.completeExceptionally(new IllegalArgumentException("bad"));

        assertThat(service.events).containsExactly("granted job", "released job: bad");
    }

    /** Such as one of a library that was made for another version. Its run would hold the lock until its max hold. */
    @Test
    @SuppressWarnings("FutureReturnValueIgnored")
    void whatThrowsAnErrorWhenItIsAskedForItsEndKeepsNoLock() throws Throwable {
        call(() -> new FutureTask<String>(() -> "") {
            @Override
            public String get() {
                throw new AbstractMethodError("get");
            }
        });
        assertThat(service.events).containsExactly("granted job", "released job: get");

        service.events.clear();
        call(() -> new CompletableFuture<String>() {
            @Override
            public CompletableFuture<String> whenComplete(BiConsumer<? super String, ? super Throwable> action) {
                throw new AbstractMethodError("whenComplete");
            }
        });
        assertThat(service.events).containsExactly("granted job", "released job");
    }

    @Test
    @SuppressWarnings("FutureReturnValueIgnored")
    void aPlainFutureIsWaitedForAlsoThroughAnInterrupt() throws Exception {
        FutureTask<String> work = new FutureTask<>(() -> "done");
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                call(() -> {
                    begun.countDown();
                    return work;
                });
                interrupted.complete(Thread.currentThread().isInterrupted());
            } catch (Throwable e) {
                interrupted.completeExceptionally(e);
            }
        });
        thread.start();
        begun.await();
        thread.interrupt();
        await().until(() -> !thread.isInterrupted());
        assertThat(service.events).containsExactly("granted job");

        work.run();

        assertThat(interrupted.get()).isTrue();
        assertThat(service.events).containsExactly("granted job", "released job");
    }

    @Test
    void whatTheWorkThrowsGoesThroughUnchanged() {
        Exception failure = new Exception("checked");

        assertThatThrownBy(() -> call(() -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(service.events).containsExactly("granted job", "released job: checked");
    }

    @Test
    void anErrorOfTheKitIsLoggedAndTheWorkNotRun() throws Throwable {
        service.failure = new IllegalStateException("broken");
        try (Logs logs = Logs.of(TaskGuard.class)) {
            assertThat(call(() -> "ran")).isEqualTo("denied");
            assertThat(logs.lines(Level.ERROR, "Joblock failed in 'job'; it is not run"))
                    .hasSize(1);
        }
    }

    @Test
    void inADryRunTheWorkRunsWithoutTheLock() throws Throwable {
        service.denies = true;
        try (Logs logs = Logs.of(TaskGuard.class)) {
            assertThat(call(true, () -> "ran")).isEqualTo("ran");
            assertThat(logs.lines(Level.INFO, "'job' dry run: would not run on this node: held: by another client"))
                    .hasSize(1);
        }
        assertThat(service.events).containsExactly("denied job");
    }

    @Test
    void whileTheStoreIsDownTheWorkRunsWithoutLockIfThePolicySaysSo() throws Throwable {
        service.denies = true;
        service.denial = Denied.storeDown(StoreFault.UNREACHABLE, "nobody listens");
        assertThat(call(() -> "ran")).isEqualTo("denied");

        service.denial = service.denial.withRunWithoutLock();
        assertThat(call(() -> "ran")).isEqualTo("ran");
    }

    @Test
    void aDenialIsOneLine() throws Throwable {
        service.denies = true;
        try (Logs logs = Logs.of(TaskGuard.class)) {
            assertThat(call(() -> "ran")).isEqualTo("denied");
            assertThat(logs.lines(Level.INFO, "'job' not run on this node: held: by another client with the value"))
                    .hasSize(1);
        }
    }

    @Test
    void aRunIsOneLineWithDurationAndToken() throws Throwable {
        try (Logs logs = Logs.of(TaskGuard.class)) {
            call(() -> "ran");
            assertThat(logs.lines(Level.INFO, "")).singleElement().asString().matches("'job' ran in \\d+ ms, token 1");
        }
    }
}
