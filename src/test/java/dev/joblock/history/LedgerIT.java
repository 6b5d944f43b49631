package dev.joblock.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Granted;
import dev.joblock.HistoryEntry;
import dev.joblock.HistoryOutcome;
import dev.joblock.HistoryQuery;
import dev.joblock.JobLock;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.Slot;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of fires on two real nodes, read from the ledger of either. */
class LedgerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    private final List<LedgerNode> nodes = new ArrayList<>();

    @BeforeEach
    void empty() {
        redis.server().call("FLUSHALL");
    }

    @AfterEach
    void close() {
        nodes.forEach(LedgerNode::close);
    }

    @Test
    void aSlotLeavesOneEntryOnEachNode() {
        LedgerNode first = node("n1");
        LedgerNode second = node("n2");
        Slot slot = slot(Instant.parse("2026-01-01T00:00:00Z"));
        first.service.run(JobRun.slot("invoice", "invoice/daily", slot), () -> {});
        second.service.run(JobRun.slot("invoice", "invoice/daily", slot), () -> {});
        List<HistoryEntry> entries = entries(first, 2);
        HistoryEntry ran = only(entries, HistoryOutcome.RAN);
        assertThat(ran.node()).isEqualTo("n1");
        assertThat(ran.job()).isEqualTo("invoice");
        assertThat(ran.lane()).isEqualTo("invoice/daily");
        assertThat(ran.slot()).contains(slot.scheduled());
        assertThat(ran.origin()).isEqualTo(JobRun.Origin.SCHEDULED);
        assertThat(ran.fencingToken()).isPositive();
        assertThat(ran.started().get()).isBeforeOrEqualTo(ran.ended().get());
        assertThat(ran.ended()).contains(ran.at());
        assertThat(Duration.between(
                        ran.at(),
                        first.ledger.find(HistoryQuery.all()).entries().get(0).at()))
                .isLessThan(PATIENCE);
        HistoryEntry denied = only(entries, HistoryOutcome.DENIED);
        assertThat(denied.node()).isEqualTo("n2");
        assertThat(denied.reason()).contains(DenialReason.TAKEN);
        assertThat(denied.holder()).contains("n1");
        assertThat(denied.holderSince()).isEqualTo(ran.started());
        assertThat(denied.started()).isEmpty();
        assertThat(denied.ended()).isEmpty();
        assertThat(denied.fencingToken()).isZero();
        assertThat(denied.detail()).startsWith("taken by n1 since");
    }

    @Test
    void aFailedRunNamesTheClassOfItsError() {
        LedgerNode node = node("n1");
        try {
            node.service.run(JobRun.exclusive("invoice").askedBy("anna"), () -> {
                throw new IllegalStateException("no paper");
            });
        } catch (IllegalStateException expected) {
            assertThat(expected).hasMessage("no paper");
        }
        HistoryEntry failed = only(entries(node, 1), HistoryOutcome.FAILED);
        assertThat(failed.errorClass()).contains("java.lang.IllegalStateException");
        assertThat(failed.origin()).isEqualTo(JobRun.Origin.MANUAL);
        assertThat(failed.by()).contains("anna");
    }

    @Test
    void aRunThatIsLostIsThereAtOnceAndCompleteWhenItEnds() {
        LedgerNode node = node("n1", policy("invoice", "1500ms"));
        JobLock lock = lock(node, JobRun.exclusive("invoice"));
        redis.server().call("DEL", LedgerNode.PREFIX + "invoice");
        HistoryEntry lost = only(entries(node, 1), HistoryOutcome.LOST);
        assertThat(lost.ended()).isEmpty();
        assertThat(lost.detail()).contains("removed");
        lock.release(new IllegalStateException("too late"));
        await().atMost(PATIENCE).untilAsserted(() -> {
            HistoryEntry ended = only(entries(node, 1), HistoryOutcome.LOST);
            assertThat(ended.ended()).isPresent();
            assertThat(ended.errorClass()).contains("java.lang.IllegalStateException");
            assertThat(ended.detail()).isEqualTo(lost.detail());
        });
    }

    @Test
    void aRunWhoseNodeDiedIsAbandonedUnderThatNodesName() {
        LedgerNode dead = node("n1", policy("invoice", "1s"));
        Slot first = slot(Instant.parse("2026-01-01T00:00:00Z"));
        JobLock lock = lock(dead, JobRun.slot("invoice", "invoice/daily", first));
        redis.server().call("HSET", LedgerNode.PREFIX + "invoice", "until", "1");
        LedgerNode heir = node("n2");
        heir.service.run(
                JobRun.slot("invoice", "invoice/daily", slot(Instant.parse("2026-01-02T00:00:00Z"))), () -> {});
        await().atMost(PATIENCE).untilAsserted(() -> {
            List<HistoryEntry> entries = heir.ledger.find(HistoryQuery.all()).entries();
            assertThat(entries).anyMatch(entry -> entry.outcome() == HistoryOutcome.RAN);
            assertThat(entries).hasSize(2);
        });
        HistoryEntry entry = entries(heir, 2).stream()
                .filter(it -> it.fencingToken() == lock.fencingToken())
                .findFirst()
                .get();
        assertThat(entry.node()).isEqualTo("n1");
        assertThat(entry.slot()).contains(first.scheduled());
        assertThat(entry.outcome()).isIn(HistoryOutcome.ABANDONED, HistoryOutcome.LOST);
        // It was alive after all and says so: still one entry for its run.
        lock.release();
        await().atMost(PATIENCE)
                .until(() -> entries(heir, 2).stream().anyMatch(it -> it.outcome() == HistoryOutcome.LOST));
        assertThat(entries(heir, 2)).noneMatch(it -> it.outcome() == HistoryOutcome.ABANDONED);
    }

    @Test
    void aSlotThatIsOverrunIsOneEntryBesideItsDenials() {
        LedgerNode first = node("n1");
        LedgerNode second = node("n2");
        Instant day = Instant.parse("2026-01-01T00:00:00Z");
        JobLock lock = lock(first, JobRun.slot("invoice", "invoice/daily", slot(day)));
        JobRun held = JobRun.slot("invoice", "invoice/daily", slot(day.plus(Duration.ofDays(1))));
        assertThat(first.service.tryLock(held).isGranted()).isFalse();
        assertThat(second.service.tryLock(held).isGranted()).isFalse();
        lock.release();
        second.service.run(JobRun.slot("invoice", "invoice/daily", slot(day.plus(Duration.ofDays(2)))), () -> {});

        List<HistoryEntry> entries = entries(second, 5);
        HistoryEntry overrun = only(entries, HistoryOutcome.OVERRUN);
        assertThat(overrun.slot()).contains(day.plus(Duration.ofDays(1)));
        assertThat(overrun.lane()).isEqualTo("invoice/daily");
        assertThat(overrun.node()).isEqualTo("n2");
        assertThat(overrun.holder()).contains("n1");
        assertThat(overrun.holderSince()).contains(lock.since());
        assertThat(overrun.reason()).contains(DenialReason.HELD);
        assertThat(overrun.detail()).startsWith("held by n1 since");
        assertThat(overrun.started()).isEmpty();
        assertThat(entries)
                .filteredOn(entry -> entry.outcome() == HistoryOutcome.DENIED)
                .hasSize(2);
    }

    @Test
    void whatANodeSaidOfItsOwnRunStandsAgainstAnAbandonedOne() {
        LedgerNode node = node("n1");
        List<HistoryEntry> ran = new ArrayList<>();
        node.service.run(JobRun.exclusive("invoice"), () -> {});
        ran.addAll(entries(node, 1));
        new dev.joblock.redis.RedisHistoryStore(node.template, LedgerNode.PREFIX, 10, "1d")
                .add(List.of(HistoryEntry.builder(ran.get(0).id(), "invoice", "n1", HistoryOutcome.ABANDONED)
                        .at(Instant.now())
                        .build()));
        assertThat(only(entries(node, 1), HistoryOutcome.RAN).at())
                .isEqualTo(ran.get(0).at());
    }

    @Test
    void aGrantThatWasTakenBackIsNoRun() {
        LedgerNode node = node("n1");
        Slot slot = slot(Instant.parse("2026-01-01T00:00:00Z"));
        ((Granted) node.service.tryLock(JobRun.slot("invoice", "x", slot).beforeStart()))
                .lock()
                .unclaim();
        HistoryEntry entry = only(entries(node, 1), HistoryOutcome.UNCLAIMED);
        assertThat(entry.started()).isEmpty();
        assertThat(entry.outcome().isRun()).isFalse();
    }

    @Test
    void whatHappenedWhileTheStoreWasAwayIsWrittenLater() {
        LedgerNode node = node("n1");
        node.service.run(JobRun.exclusive("before"), () -> {});
        entries(node, 1);
        redis.server().stop();
        try {
            for (int i = 0; i < 5; i++) {
                node.service.run(JobRun.exclusive("away"), () -> {});
            }
            await().atMost(PATIENCE).until(() -> node.ledger.waiting() == 5);
        } finally {
            redis.server().start();
        }
        await().atMost(PATIENCE).until(() -> node.ledger.waiting() == 0);
        List<HistoryEntry> away = node.ledger
                .find(HistoryQuery.all().outcomes(Set.of(HistoryOutcome.STORE_DOWN)))
                .entries();
        assertThat(away).hasSize(5).allMatch(entry -> entry.job().equals("away"));
        assertThat(away.get(0).reason()).contains(DenialReason.STORE_DOWN);
        assertThat(away.get(0).detail()).contains("store down");
    }

    @Test
    void losingTheLedgerLosesNoLockAndNoMark() {
        LedgerNode holder = node("n1");
        LedgerNode other = node("n2");
        Slot slot = slot(Instant.parse("2026-01-01T00:00:00Z"));
        JobRun daily = JobRun.slot("invoice", "invoice/daily", slot);
        holder.service.run(daily, () -> {});
        JobLock lock = lock(holder, JobRun.exclusive("export"));
        entries(holder, 1);
        for (String key : List.of("{history}", "{history-entries}", "{jobs}", "{job-summaries}")) {
            assertThat(redis.server().call("DEL", LedgerNode.PREFIX + key)).isEqualTo(1L);
            redis.server().call("SET", LedgerNode.PREFIX + key, "of somebody else");
        }

        assertThat(((Denied) other.service.tryLock(daily)).reason()).isEqualTo(DenialReason.TAKEN);
        lock.ensureHeld(true);
        assertThat(((Denied) other.service.tryLock(JobRun.exclusive("export"))).reason())
                .isEqualTo(DenialReason.HELD);
        lock.release();
        JobLock next = lock(other, JobRun.exclusive("export"));
        assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        next.release();

        assertThat(redis.server().call("DEL", LedgerNode.PREFIX + "{history}", LedgerNode.PREFIX + "{history-entries}"))
                .isEqualTo(2L);
        assertThat(redis.server().call("DEL", LedgerNode.PREFIX + "{jobs}", LedgerNode.PREFIX + "{job-summaries}"))
                .isEqualTo(2L);
        assertThat(entries(holder, 4)).extracting(HistoryEntry::node).contains("n1", "n2");
    }

    @Test
    void theLastEventsAreWrittenWhenTheNodeCloses() {
        LedgerNode node = node("n1");
        for (int i = 0; i < 450; i++) {
            node.service.run(JobRun.exclusive("job" + i), () -> {});
        }
        node.close();
        nodes.remove(node);
        assertThat(entries(node("n2"), 450)).hasSize(450);
    }

    private LedgerNode node(String id, JobLockPolicy... policies) {
        LedgerNode node = new LedgerNode(id, redis.server(), policies);
        nodes.add(node);
        return node;
    }

    private static JobLock lock(LedgerNode node, JobRun run) {
        return ((Granted) node.service.tryLock(run)).lock();
    }

    private static JobLockPolicy policy(String jobs, String lease) {
        JobLockPolicy policy = new JobLockPolicy();
        policy.setJobs(jobs);
        policy.setLease(lease);
        return policy;
    }

    private static Slot slot(Instant scheduled) {
        return Slot.of(scheduled, scheduled.plusSeconds(86_400), "daily");
    }

    /** All entries, once there are so many. */
    private static List<HistoryEntry> entries(LedgerNode node, int number) {
        HistoryQuery query = HistoryQuery.all().limit(1_000);
        await().atMost(PATIENCE).until(() -> node.ledger.find(query).entries().size() >= number);
        List<HistoryEntry> entries = node.ledger.find(query).entries();
        assertThat(entries).hasSize(number);
        return entries;
    }

    private static HistoryEntry only(List<HistoryEntry> entries, HistoryOutcome outcome) {
        return entries.stream()
                .filter(entry -> entry.outcome() == outcome)
                .reduce((a, b) -> {
                    throw new AssertionError("two: " + a + " and " + b);
                })
                .orElseThrow(() -> new AssertionError("none is " + outcome + ": " + entries));
    }
}
