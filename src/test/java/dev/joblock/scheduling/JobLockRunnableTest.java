package dev.joblock.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.joblock.JobRun;
import dev.joblock.testing.Logs;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The wrapper for executors of the host. */
class JobLockRunnableTest {

    private final FakeService service = new FakeService();

    private static boolean runs(Runnable task, CountDownLatch latch) throws InterruptedException {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
        try {
            ScheduledFuture<?> schedule = executor.scheduleAtFixedRate(task, 0, 20, TimeUnit.MILLISECONDS);
            return latch.await(30, TimeUnit.SECONDS) && !schedule.isDone();
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void aJobThatFailsTwiceIsTriedInEachOfSixPeriods() throws InterruptedException {
        CountDownLatch six = new CountDownLatch(6);
        AtomicInteger attempts = new AtomicInteger();
        try (Logs logs = Logs.of(TaskGuard.class)) {
            boolean done = runs(
                    new JobLockRunnable(service, "sync", () -> {
                        six.countDown();
                        int n = attempts.incrementAndGet();
                        if (n == 2 || n == 3) {
                            throw new IllegalArgumentException("broken " + n);
                        }
                    }),
                    six);

            assertThat(done).isTrue();
            assertThat(logs.lines(Level.ERROR, "'sync' failed; its schedule goes on"))
                    .hasSize(2);
        }
    }

    @Test
    void anErrorOfTheKitSkipsTheRunAndTheScheduleGoesOn() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        service.failure = new IllegalStateException("the kit is broken");
        try (Logs logs = Logs.of(TaskGuard.class)) {
            boolean ran = runs(
                    () -> {
                        new JobLockRunnable(service, "sync", done::countDown).run();
                        if (service.asked.size() == 6) {
                            service.failure = null;
                        }
                    },
                    done);

            assertThat(ran).isTrue();
            assertThat(logs.lines(Level.ERROR, "Joblock failed in 'sync'; it is not run"))
                    .hasSize(6);
        }
    }

    @Test
    void withoutTheLockNothingRuns() {
        service.denies = true;
        AtomicInteger runs = new AtomicInteger();

        new JobLockRunnable(service, "sync", runs::incrementAndGet).run();

        assertThat(runs).hasValue(0);
        assertThat(service.events).containsExactly("denied sync");
    }

    @Test
    void theMinimumIntervalAsksByInterval() {
        JobLockRunnable task = new JobLockRunnable(service, "sync", () -> {});
        task.setMinInterval("5m");
        task.setFromEnd(true);

        task.run();

        JobRun run = service.asked.get(0);
        assertThat(run.rule()).isEqualTo(JobRun.Rule.INTERVAL);
        assertThat(run.interval()).isEqualTo(Duration.ofMinutes(5));
        assertThat(run.isCountedFromEnd()).isTrue();
    }
}
