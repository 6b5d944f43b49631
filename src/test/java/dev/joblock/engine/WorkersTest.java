package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The real threads, where the machine refuses to start one for a moment. */
class WorkersTest {
    private final EngineLogs logs = new EngineLogs();
    private final AtomicInteger refusals = new AtomicInteger();
    private final Workers workers = new Workers("n1", (task, name) -> {
        if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        return new Thread(task, name);
    });

    @AfterEach
    void close() {
        workers.close(1_000);
        logs.close();
    }

    @Test
    void whatNoThreadCouldBeStartedForIsDoneSoonAfter() throws Exception {
        for (Executor lane : List.of(workers.io(), workers.events(), workers.retries())) {
            CountDownLatch done = new CountDownLatch(1);
            refusals.set(1);

            lane.execute(done::countDown);

            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void timerWhoseThreadCouldNotBeStartedRunsItsTasksWithTheNextOne() throws Exception {
        CountDownLatch done = new CountDownLatch(2);
        refusals.set(1);

        Runnable unused = workers.after(0, done::countDown);
        unused = workers.after(Duration.ofMillis(1).toNanos(), done::countDown);

        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
