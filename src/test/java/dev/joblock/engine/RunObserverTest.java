package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.RunObserver;
import dev.joblock.StoreFault;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** What observers that go along with runs are told, in which order. */
class RunObserverTest {
    private final ManualEngine engine = new ManualEngine();
    private final List<String> told = new CopyOnWriteArrayList<>();

    private final class Telling implements RunObserver {
        private final String name;

        Telling(String name) {
            this.name = name;
        }

        @Override
        public Entry enter(JobLock lock) {
            told.add(name + " enter " + lock.lockName());
            return new Entry() {
                @Override
                public void begun() {
                    told.add(name + " begun " + lock.lockName());
                }

                @Override
                public void left() {
                    told.add(name + " left " + lock.lockName());
                }
            };
        }

        @Override
        public void ended(JobLock lock, boolean lost, @Nullable Throwable failure) {
            told.add(name + " ended " + lock.lockName() + (lost ? ", lost" : "")
                    + (failure == null ? "" : ", " + failure.getMessage()));
        }
    }

    private static final class Failing implements RunObserver {
        @Override
        public Entry enter(JobLock lock) {
            if (lock.lockName().equals("deaf")) {
                throw new IllegalStateException("enter");
            }
            return new Entry() {
                @Override
                public void begun() {
                    throw new AssertionError("begun");
                }

                @Override
                public void left() {
                    throw new IllegalStateException("left");
                }
            };
        }

        @Override
        public void ended(JobLock lock, boolean lost, @Nullable Throwable failure) {
            throw new IllegalStateException("ended");
        }
    }

    @BeforeEach
    void observe() {
        engine.service.observe(List.of(new Telling("a"), new Telling("b")));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void observersGoAlongInOrderAndLeaveInTheReverseOne() {
        engine.service.run(JobRun.exclusive("invoice"), () -> told.add("work"));

        assertThat(told)
                .containsExactly(
                        "a enter invoice",
                        "b enter invoice",
                        "a begun invoice",
                        "b begun invoice",
                        "work",
                        "b left invoice",
                        "a left invoice",
                        "a ended invoice",
                        "b ended invoice");
    }

    @Test
    void theEndIsToldBeforeTheStoreIsAskedToRelease() {
        engine.service.run(JobRun.exclusive("invoice"), () -> engine.store.thenDo(() -> told.add("release")));

        assertThat(told).endsWith("a ended invoice", "b ended invoice", "release");
    }

    @Test
    void theWorkBeginsOnceItIsSaidToAndOnAThreadThatHasEntered() {
        JobLock lock = engine.grant(JobRun.exclusive("invoice").beforeStart());
        engine.service.enter(lock);
        assertThat(told).containsExactly("a enter invoice", "b enter invoice");
        CompletableFuture.runAsync(lock::started).join();
        assertThat(told).as("on a thread that works for nobody").hasSize(2);
        lock.started();
        assertThat(told).endsWith("a begun invoice", "b begun invoice");
        engine.service.leave(lock);
        lock.release();
        told.clear();

        lock.started();
        assertThat(told).as("once it is over").isEmpty();
    }

    @Test
    void aRunThatIsTakenBackNeitherBeginsNorEnds() {
        JobLock lock = engine.grant(JobRun.exclusive("invoice").beforeStart());
        engine.service.enter(lock);
        engine.service.leave(lock);
        lock.unclaim();

        assertThat(told).containsExactly("a enter invoice", "b enter invoice", "b left invoice", "a left invoice");
    }

    @Test
    void lossAndFailureAreToldAtTheEnd() {
        JobLock lock = engine.grant("invoice");
        engine.service.enter(lock);
        engine.store.then(false);
        engine.passSeconds(10);
        engine.service.leave(lock);
        lock.release(new IllegalStateException("no paper"));
        lock.release();

        assertThat(told).endsWith("a ended invoice, lost, no paper", "b ended invoice, lost, no paper");
        assertThat(told.stream().filter(line -> line.contains("ended"))).hasSize(2);
    }

    @Test
    void aNestedRunThatJoinsEntersTheSameLeaseAndEndsWithIt() {
        engine.service.run(JobRun.exclusive("invoice"), () -> {
            told.clear();
            engine.service.run(JobRun.exclusive("invoice"), () -> {});
            assertThat(told).containsExactly("a enter invoice", "b enter invoice", "b left invoice", "a left invoice");
        });

        assertThat(told).endsWith("a ended invoice", "b ended invoice");
    }

    @Test
    void whatObserversThrowReachesNobodyAndHoldsNoOtherUp() {
        engine.service.observe(List.of(new Failing(), new Telling("c")));
        engine.service.run(JobRun.exclusive("invoice"), () -> told.add("work"));
        engine.service.run(JobRun.exclusive("deaf"), () -> told.add("work"));

        assertThat(told).filteredOn(line -> line.equals("work")).hasSize(2);
        assertThat(told)
                .contains(
                        "c enter deaf",
                        "c begun deaf",
                        "a begun deaf",
                        "a left invoice",
                        "c left deaf",
                        "c ended deaf");
        assertThat(engine.store.calls())
                .containsExactly("acquire invoice 30000", "release invoice", "acquire deaf 30000", "release deaf");
        assertThat(engine.service.current()).isEmpty();
        assertThat(MDC.get("joblock.job")).isNull();
    }

    @Test
    void aDeniedRunIsNotObserved() {
        engine.store.then(Denied.storeDown(StoreFault.SLOW, "busy"));
        assertThat(engine.service.run(JobRun.exclusive("invoice"), () -> {})).isInstanceOf(Denied.class);

        assertThat(told).isEmpty();
    }
}
