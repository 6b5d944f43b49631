package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LockMode;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Listeners that throw or dawdle harm neither jobs nor one another. */
class EventsTest {

    @Test
    void listenerThatThrowsBreaksNeitherTheRunNorTheOthers() {
        JobLockListener broken = new JobLockListener() {
            @Override
            public void onGranted(JobLock lock) {
                throw new IllegalStateException("exception");
            }

            @Override
            public void onEnded(JobLock lock, @Nullable Throwable failure) {
                throw new NoClassDefFoundError("error");
            }
        };
        try (ManualEngine engine = new ManualEngine(List.of(broken))) {
            engine.service.run(JobRun.exclusive("job"), () -> {});

            assertThat(engine.events.heard()).containsExactly("granted job", "ended job");
            assertThat(engine.logs.warnings())
                    .hasSize(2)
                    .allSatisfy(warning -> assertThat(warning)
                            .isEqualTo("The JobLockListener "
                                    + broken.getClass().getName() + " failed; jobs and locks go on"));
        }
    }

    @Test
    void listenerThatDawdlesDelaysNoVerdictAndNoRelease() {
        try (ManualEngine engine = new ManualEngine()) {
            engine.threads.events.hold();
            JobLock lost = engine.grant("lost");
            JobLock ended = engine.grant("ended");
            engine.store.fail(StoreFault.UNREACHABLE, false);
            engine.passSeconds(29);
            engine.store.recover();
            ended.release();

            assertThat(lost.isHeld()).isFalse();
            assertThat(engine.events.heard()).isEmpty();
            engine.threads.events.letGo();

            assertThat(engine.events.heard())
                    .extracting(event -> event.replaceAll(":.*", ""))
                    .containsExactly("granted lost", "granted ended", "lost lost", "lost ended", "ended ended");
        }
    }

    @Test
    void listenerThatNeverReturnsHoldsUpNoThreadOfTheEngine() throws InterruptedException {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch forever = new CountDownLatch(1);
        JobLockListener stuck = new JobLockListener() {
            @Override
            public void onGranted(JobLock lock) {
                entered.countDown();
                try {
                    forever.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        EngineLogs logs = new EngineLogs();
        Workers workers = new Workers("n1");
        ManualTime time = new ManualTime();
        ScriptedStore store = new ScriptedStore();
        DefaultJobLockService service = new DefaultJobLockService(
                "n1",
                Duration.ofSeconds(5),
                Map.of(LockMode.HASH_TIMESTAMP, store),
                new JobLockPolicies(new JobLockPolicy(), List.of()),
                List.of(stuck),
                time,
                workers);
        try {
            JobLock lock = ManualEngine.granted(service.tryLock(JobRun.exclusive("job")));
            entered.await();

            lock.release();
            assertThat(CompletableFuture.supplyAsync(() ->
                                    service.tryLock(JobRun.exclusive("job")).isGranted())
                            .join())
                    .isTrue();
            assertThat(store.calls()).containsExactly("acquire job 30000", "release job", "acquire job 30000");
        } finally {
            forever.countDown();
            service.close();
            logs.close();
        }
    }

    @Test
    void releaseIsNeverHeardBeforeTheLossThatHappenedFirst() {
        for (int i = 0; i < 200; i++) {
            try (ManualEngine engine = new ManualEngine()) {
                JobLock lock = engine.grant("job");
                AtomicReference<CompletableFuture<Void>> releasing = new AtomicReference<>();
                // The store denies the renewal just while another thread releases.
                engine.store
                        .thenDo(() -> releasing.set(CompletableFuture.runAsync(lock::release)), false)
                        .then(false);

                engine.passSeconds(10);
                Objects.requireNonNull(releasing.get()).join();

                List<String> heard = engine.events.heard();
                assertThat(heard).filteredOn(event -> event.startsWith("ended")).hasSize(1);
                assertThat(heard.get(heard.size() - 1)).isEqualTo("ended job");
            }
        }
    }
}
