package dev.joblock.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.joblock.Denied;
import dev.joblock.HistoryEntry;
import dev.joblock.HistoryPage;
import dev.joblock.HistoryQuery;
import dev.joblock.HistoryStore;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.JobSummary;
import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import dev.joblock.testing.Loggers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the ledger does with events while its store is stuck or away. */
class LedgerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Store store = new Store();
    private final Ledger ledger = new Ledger(store, "n1", 100);

    @BeforeEach
    void listen() {
        log.start();
        Loggers.of(Ledger.class).setLevel(Level.INFO);
        Loggers.of(Ledger.class).addAppender(log);
    }

    @AfterEach
    void close() {
        store.gate.countDown();
        ledger.destroy();
        Loggers.of(Ledger.class).detachAppender(log);
        Loggers.of(Ledger.class).setLevel(null);
    }

    @Test
    void whoTellsTheLedgerNeverWaitsForItsStore() {
        store.gate = new CountDownLatch(1);
        deny(50);
        await().atMost(PATIENCE).until(() -> store.calls.get() > 0);
        deny(50);
        assertThat(store.added).isEmpty();
        store.gate.countDown();
        await().atMost(PATIENCE).until(() -> store.added.size() == 100);
    }

    @Test
    void entriesWaitUpToABoundThenAreDroppedAndCountedWithOneWarning() {
        store.fault = new StoreException(StoreFault.UNREACHABLE, false, "refused", null);
        deny(130);
        assertThat(ledger.waiting()).isEqualTo(100);
        await().atMost(PATIENCE).until(() -> store.calls.get() > 1);
        store.fault = null;
        await().atMost(PATIENCE).until(() -> ledger.waiting() == 0);
        assertThat(store.added).hasSize(100).extracting(HistoryEntry::id).doesNotHaveDuplicates();
        await().atMost(PATIENCE).until(() -> logged(Level.INFO).size() == 1);
        assertThat(logged(Level.WARN)).hasSize(2);
        assertThat(logged(Level.WARN)).anyMatch(line -> line.contains("drops new entries: 100 wait already"));
        assertThat(logged(Level.WARN)).anyMatch(line -> line.contains("can't be written") && line.contains("refused"));
        assertThat(logged(Level.INFO).get(0)).contains("30 entries were dropped");
        deny(1);
        await().atMost(PATIENCE).until(() -> store.added.size() == 101);
    }

    @Test
    void aBrokenStoreDoesNotEndTheWriter() {
        store.fault = new IllegalStateException("a bug");
        deny(1);
        await().atMost(PATIENCE).until(() -> store.calls.get() > 1);
        store.fault = null;
        await().atMost(PATIENCE).until(() -> store.added.size() == 1);
    }

    @Test
    void theTimeOfAnEntryIsThatOfItsEventHoweverLongItWaited() {
        store.gate = new CountDownLatch(1);
        deny(1);
        await().atMost(PATIENCE).until(() -> store.calls.get() > 0);
        deny(1);
        store.time = Instant.ofEpochSecond(1_000);
        long begin = System.nanoTime();
        await().until(() -> System.nanoTime() - begin > 300_000_000);
        store.gate.countDown();
        await().atMost(PATIENCE).until(() -> store.added.size() == 2);
        assertThat(store.added.get(1).at()).isBeforeOrEqualTo(Instant.ofEpochMilli(999_700));
        assertThat(store.added.get(1).at()).isAfter(Instant.ofEpochMilli(970_000));
    }

    @Test
    void manyEntriesAreCollectedForALongerWhileThanFew() {
        deny(100);
        await().atMost(PATIENCE).until(() -> store.added.size() == 100);
        assertThat(millisToWriteOne()).isGreaterThanOrEqualTo(490);
        await().atMost(PATIENCE).until(() -> millisToWriteOne() < 490);
    }

    @Test
    void fullBatchesFollowOneAnotherAtOnce() {
        Ledger large = new Ledger(store, "n1", 10_000);
        try {
            store.gate = new CountDownLatch(1);
            for (int i = 0; i < 5_000; i++) {
                deny(large);
            }
            long begin = System.nanoTime();
            store.gate.countDown();
            await().atMost(PATIENCE).until(() -> store.added.size() == 5_000);
            assertThat(store.batches).hasSizeBetween(20, 21).allMatch(size -> size <= 250);
            assertThat(Duration.ofNanos(store.lastNanos - begin)).isLessThan(Duration.ofSeconds(5));
        } finally {
            large.destroy();
        }
    }

    @Test
    void runEndsInTheLedgerWhenItsLeaseDidHoweverLateTheEventComes() {
        store.time = Instant.ofEpochSecond(1_000);
        JobLock lock = mock(JobLock.class);
        when(lock.run()).thenReturn(JobRun.exclusive("invoice"));
        when(lock.lockName()).thenReturn("invoice");
        when(lock.since()).thenReturn(Instant.ofEpochSecond(900));
        when(lock.heldFor()).thenReturn(Duration.ofMillis(1_500));
        ledger.onEnded(lock, null);
        await().atMost(PATIENCE).until(() -> store.added.size() == 1);
        Instant end = Instant.ofEpochMilli(901_500);
        assertThat(store.added.get(0).ended()).contains(end);
        assertThat(store.added.get(0).at()).isEqualTo(end);
    }

    private long millisToWriteOne() {
        int before = store.added.size();
        long begin = System.nanoTime();
        deny(1);
        await().pollInterval(Duration.ofMillis(5)).atMost(PATIENCE).until(() -> store.added.size() == before + 1);
        return (store.lastNanos - begin) / 1_000_000;
    }

    private void deny(int times) {
        for (int i = 0; i < times; i++) {
            deny(ledger);
        }
    }

    private static void deny(Ledger to) {
        to.onDenied(JobRun.exclusive("invoice"), Denied.storeDown(StoreFault.UNREACHABLE, ""));
    }

    private List<String> logged(Level level) {
        return List.copyOf(log.list).stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static final class Store implements HistoryStore {
        final List<HistoryEntry> added = new CopyOnWriteArrayList<>();
        volatile CountDownLatch gate = new CountDownLatch(0);
        volatile @Nullable RuntimeException fault;
        volatile Instant time = Instant.EPOCH;
        volatile long lastNanos;
        final List<Integer> batches = new CopyOnWriteArrayList<>();
        final AtomicInteger calls = new AtomicInteger();

        @Override
        public Instant time() {
            calls.incrementAndGet();
            RuntimeException now = fault;
            if (now != null) {
                throw now;
            }
            return time;
        }

        @Override
        public void add(List<HistoryEntry> entries) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new StoreException(StoreFault.CLOSED, false, "interrupted", e);
            }
            lastNanos = System.nanoTime();
            batches.add(entries.size());
            added.addAll(entries);
        }

        @Override
        public HistoryPage find(HistoryQuery query) {
            return new HistoryPage(added, null);
        }

        @Override
        public List<JobSummary> summaries() {
            return List.of();
        }

        @Override
        public Optional<JobSummary> summary(String job) {
            return Optional.empty();
        }
    }
}
