package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class BundledTest {
    private static final long LONG = Duration.ofMinutes(10).toNanos();

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final AtomicInteger woken = new AtomicInteger();

    @AfterEach
    void close() {
        thread.shutdownNow();
    }

    private Bundled bundled(int capacity, long linger) {
        return new Bundled(
                task -> {
                    woken.incrementAndGet();
                    thread.execute(task);
                },
                new LinkedBlockingQueue<>(capacity),
                linger);
    }

    @Test
    void firstTaskRunsAtOnceAndThoseThatFollowWakeNobody() throws Exception {
        Bundled bundled = bundled(10, LONG);
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch all = new CountDownLatch(3);
        bundled.execute(() -> {
            all.countDown();
            first.countDown();
        });
        first.await();

        bundled.execute(all::countDown);
        bundled.execute(all::countDown);
        assertThat(all.getCount()).isEqualTo(2);

        bundled.finish();
        all.await();
        assertThat(woken).hasValue(1);
    }

    @Test
    void threadLooksForMoreAfterTheLingerAndThenEnds() throws Exception {
        Bundled bundled = bundled(10, 1);
        for (int i = 0; i < 1_000; i++) {
            CountDownLatch done = new CountDownLatch(1);
            bundled.execute(done::countDown);
            done.await();
        }
        thread.shutdown();
        assertThat(thread.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    /** Something happens once, just when it is found empty. */
    private static final class FoundEmpty extends ConcurrentLinkedQueue<Runnable> {
        private static final long serialVersionUID = 1;

        transient Runnable then = () -> {};

        @Override
        public boolean isEmpty() {
            boolean empty = super.isEmpty();
            if (empty) {
                Runnable once = then;
                then = () -> {};
                once.run();
            }
            return empty;
        }
    }

    @Test
    void taskThatComesWhileTheThreadIsAboutToEndRunsToo() throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        FoundEmpty queue = new FoundEmpty();
        Bundled bundled = new Bundled(thread, queue, 1);
        queue.then = () -> bundled.execute(late::countDown);

        bundled.execute(() -> {});

        assertThat(late.await(15, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void eachTaskOfSeveralThreadsRunsOnceAndInTheOrderOfItsThread() throws Exception {
        int each = 20_000;
        Bundled bundled = bundled(4 * each, 1_000);
        List<List<Integer>> seen = new ArrayList<>();
        AtomicBoolean running = new AtomicBoolean();
        AtomicInteger overlaps = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(4 * each);
        ExecutorService producers = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int producer = 0; producer < 4; producer++) {
                List<Integer> mine = new ArrayList<>();
                seen.add(mine);
                ends.add(producers.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        int number = i;
                        bundled.execute(() -> {
                            if (!running.compareAndSet(false, true)) {
                                overlaps.incrementAndGet();
                            }
                            mine.add(number);
                            running.set(false);
                            all.countDown();
                        });
                    }
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
            assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            producers.shutdownNow();
        }
        assertThat(overlaps).hasValue(0);
        assertThat(seen).allSatisfy(mine -> assertThat(mine).hasSize(each).isSorted());
    }

    @Test
    void taskWhoseThreadCannotBeStartedIsRefusedAndTheNextOneRuns() throws Exception {
        AtomicInteger refusals = new AtomicInteger(1);
        Bundled bundled = new Bundled(
                task -> {
                    if (refusals.getAndDecrement() > 0) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    thread.execute(task);
                },
                new LinkedBlockingQueue<>(10),
                LONG);
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);

        assertThatThrownBy(() -> bundled.execute(runs::incrementAndGet)).isInstanceOf(OutOfMemoryError.class);
        bundled.execute(done::countDown);

        done.await();
        assertThat(runs).hasValue(0);
    }

    @Test
    void taskThatFindsTheQueueFullIsRefused() throws Exception {
        Bundled bundled = bundled(1, LONG);
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        bundled.execute(first::countDown);
        first.await();
        bundled.execute(second::countDown);

        assertThatThrownBy(() -> bundled.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);

        bundled.finish();
        second.await();
    }

    @Test
    void afterDropNothingRunsAndNothingIsTaken() throws Exception {
        Bundled bundled = bundled(10, LONG);
        CountDownLatch first = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        bundled.execute(first::countDown);
        first.await();
        bundled.execute(runs::incrementAndGet);

        bundled.drop();
        bundled.finish();
        thread.shutdown();

        assertThat(thread.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(runs).hasValue(0);
        assertThatThrownBy(() -> bundled.execute(runs::incrementAndGet)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void interruptThatATaskLeavesBehindDoesNotEndTheLinger() throws Exception {
        Bundled bundled = bundled(10, LONG);
        CountDownLatch first = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        CountDownLatch second = new CountDownLatch(1);
        bundled.execute(() -> {
            Thread.currentThread().interrupt();
            first.countDown();
        });
        first.await();
        bundled.execute(() -> {
            interrupted.set(Thread.currentThread().isInterrupted());
            second.countDown();
        });

        bundled.finish();
        second.await();
        assertThat(interrupted).isFalse();
        assertThat(woken).hasValue(1);
    }
}
