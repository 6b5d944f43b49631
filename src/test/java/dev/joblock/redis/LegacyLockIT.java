package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LegacyLock;
import dev.joblock.LockStore;
import dev.joblock.Slot;
import dev.joblock.StoreAnswer;
import dev.joblock.StoreFault;
import dev.joblock.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is respected, written and taken back at the key of a hand-written lock, in both modes. */
@SuppressWarnings("NullAway.Init")
class LegacyLockIT {
    private static final String HASH = "hash-timestamp";
    private static final String STATUS = "status-time";
    private static final String LOCK = "invoice";
    private static final String FIELD = "ALL#ALL";

    private final RedisServer redis = RedisServer.shared();
    private final RedisClient client = RedisClient.of(redis, 4);
    private final String prefix = "legacy:" + UUID.randomUUID() + ":";
    private final String old = "JOB_" + prefix + LOCK;
    private LockStore store;

    @AfterEach
    void closeClient() {
        client.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {HASH, STATUS})
    void o2IsWrittenWithAGrantAndRemovedWithItsEnd(String mode) {
        o2(mode, policy -> policy.setLegacyTimeout("60s"));
        Holder holder = Asks.holder("n1");

        long since = Asks.grant(store, manual(), holder).since().toEpochMilli();

        assertThat(number(FIELD)).isEqualTo(since);
        assertThat(pttl()).isBetween(50_000L, 60_000L);
        assertThat(store.release(LOCK, holder)).isTrue();
        assertThat(exists()).isFalse();

        holder = Asks.holder("n1");
        Asks.grant(store, manual(), holder);
        assertThat(store.unclaim(LOCK, holder)).isTrue();
        assertThat(exists()).isFalse();
        holder = Asks.holder("n1");
        Asks.grant(store, manual(), holder);
        store.cancel(LOCK, holder);
        assertThat(exists()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {HASH, STATUS})
    void o2LastsAsLongAsTheLeaseWhereItsTimeoutIsShorter(String mode) {
        o2(mode, policy -> policy.setLegacyTimeout("5s"));
        Holder holder = Asks.holder("n1");
        Instant since = Asks.grant(store, manual(), holder).since();
        assertThat(number(FIELD)).isEqualTo(since.plusSeconds(25).toEpochMilli());

        assertThat(store.renew(LOCK, holder, Duration.ofHours(1))).isTrue();
        assertThat(number(FIELD)).isGreaterThan(since.plusSeconds(3_590).toEpochMilli());
    }

    @ParameterizedTest
    @ValueSource(strings = {HASH, STATUS})
    void o2HeldByAnOldNodeIsSaidAndLeft(String mode) {
        o2(mode, policy -> policy.setLegacyTimeout("60s"));
        Instant written = store.time();
        redis.call("HSET", old, FIELD, ms(written));

        Denied held = Asks.deny(store, manual(), Asks.holder("n1"));
        assertThat(held.reason()).isEqualTo(DenialReason.HELD);
        assertThat(held.until()).contains(at(written).plusSeconds(60));
        assertThat(held)
                .hasToString("held: by an older version of the lock (key '" + old + "', since " + at(written)
                        + "), until " + at(written).plusSeconds(60));
        assertThat(Asks.deny(store, slot(written.minusMillis(20)), Asks.holder("n1"))
                        .reason())
                .as("the slot that the old node took")
                .isEqualTo(DenialReason.TAKEN);
        assertThat(Asks.deny(store, slot(written.plusMillis(20)), Asks.holder("n1"))
                        .reason())
                .as("a later slot")
                .isEqualTo(DenialReason.HELD);
        store.cancel(LOCK, Asks.holder("n1"));
        assertThat(number(FIELD)).isEqualTo(written.toEpochMilli());

        redis.call("HSET", old, FIELD, ms(written.minusSeconds(61)));
        Asks.grant(store, slot(written.minusMillis(20)), Asks.holder("n1"));
    }

    /** The old code writes over our field, or deletes it, whoever wrote it. */
    @ParameterizedTest
    @ValueSource(strings = {HASH, STATUS})
    void o2OfAnOldNodeIsNeverRemovedAndOursComesBack(String mode) {
        o2(mode, policy -> policy.setLegacyTimeout("60s"));
        Holder holder = Asks.holder("n1");
        Asks.grant(store, manual(), holder);
        redis.call("DEL", old);
        assertThat(store.renew(LOCK, holder, Asks.LEASE)).isTrue();
        assertThat(exists()).isTrue();
        assertThat(Asks.deny(store, manual(), Asks.holder("n2")).other()).isPresent();

        String theirs = ms(store.time().plusMillis(5));
        redis.call("HSET", old, FIELD, theirs);
        assertThat(store.renew(LOCK, holder, Asks.LEASE)).isTrue();
        assertThat(store.release(LOCK, holder)).isTrue();
        assertThat(redis.text("HGET", old, FIELD)).isEqualTo(theirs);
        assertThat(Asks.deny(store, manual(), Asks.holder("n2")).other()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {HASH, STATUS})
    void o2WithoutATimeoutOfItsOwnLastsToTheNextFireLessTenMilliseconds(String mode) {
        o2(mode, policy -> {});
        Instant written = store.time().minusSeconds(3_600).plusMillis(500);
        redis.call("HSET", old, FIELD, ms(written));

        Instant scheduled = store.time();
        Denied held =
                Asks.deny(store, in(Slot.of(scheduled, scheduled.plusSeconds(7_200), "two hours")), Asks.holder("n1"));
        assertThat(held.until()).contains(at(written).plusSeconds(7_200).minusMillis(10));
        assertThat(Asks.deny(store, manual(), Asks.holder("n1")).until())
                .as("a manual run knows no next fire")
                .contains(at(written).plus(Duration.ofHours(24)));
        Asks.grant(store, in(Slot.of(scheduled, scheduled.plusSeconds(3_500), "hourly")), Asks.holder("n1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {HASH, STATUS})
    void deadLeaseOfOursIsNoLockOfAnOldNode(String mode) {
        o2(mode, policy -> policy.setLegacyTimeout("60s"));
        Asks.die(store, manual(), "dead");
        assertThat(exists()).isTrue();

        StoreAnswer next = Asks.grant(store, manual(), Asks.holder("n2"));

        assertThat(next.abandoned().orElseThrow().node()).isEqualTo("dead");
    }

    @ParameterizedTest
    @ValueSource(strings = {HASH, STATUS})
    void fieldThatNobodySaidIsNamed(String mode) {
        o2(mode, policy -> {});
        redis.call("HSET", old, "ALL-ALL", "1");

        Denied denied = Asks.deny(store, manual(), Asks.holder("n1"));

        assertThat(denied.fault()).contains(StoreFault.FOREIGN_VALUE);
        assertThat(denied.toString()).contains("'" + old + "'", "'" + FIELD + "'", "legacyField");
        redis.call("DEL", old);
        redis.call("SET", old, "text");
        assertThat(Calls.refusal(store, manual()).text()).contains("'" + old + "' holds a string", "legacyKey");
    }

    @ParameterizedTest
    @ValueSource(strings = {HASH, STATUS})
    void o4IsTrueWhileOursRunsAndFalseWithTheTimeAfterIt(String mode) {
        o4(mode, policy -> policy.setLegacyInterval("1m"));
        Holder holder = Asks.holder("n1");
        Instant scheduled = store.time();

        long since = Asks.grant(store, slot(scheduled), holder).since().toEpochMilli();
        assertThat(redis.text("HGET", old, "status")).isEqualTo("true");
        assertThat(number("time")).isEqualTo(since);

        assertThat(store.release(LOCK, holder)).isTrue();
        assertThat(redis.text("HGET", old, "status")).isEqualTo("false");
        assertThat(number("time")).isGreaterThanOrEqualTo(since);
        assertThat(pttl()).as("the old code needs it to start").isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(strings = {HASH, STATUS})
    void o4TakenBackLeavesTheTimeOfBefore(String mode) {
        o4(mode, policy -> policy.setLegacyInterval("1m"));
        Instant ended = store.time().minusSeconds(60);
        redis.call("HSET", old, "status", "false", "time", ms(ended));
        Instant scheduled = store.time();
        for (int i = 0; i < 3; i++) {
            Holder holder = Asks.holder("n1");
            Asks.grant(store, slot(scheduled), holder);
            if (i == 0) {
                assertThat(store.unclaim(LOCK, holder)).isTrue();
            } else {
                store.cancel(LOCK, holder);
            }
            assertThat(redis.text("HGET", old, "status")).isEqualTo("false");
            assertThat(number("time")).isEqualTo(ended.toEpochMilli());
        }
        Holder manual = Asks.holder("n1");
        Asks.grant(store, manual(), manual);
        store.release(LOCK, manual);
        assertThat(number("time")).as("a manual run moves no interval").isEqualTo(ended.toEpochMilli());
        Asks.complete(store, slot(scheduled), "n2");
    }

    @ParameterizedTest
    @ValueSource(strings = {HASH, STATUS})
    void o4OfAnOldNodeIsHeldThenPassedThenTooSoonThenFree(String mode) {
        o4(mode, policy -> policy.setLegacyInterval("1m"));
        Instant now = store.time();
        JobRun slot = slot(now.minusMillis(20));
        redis.call("HSET", old, "status", "true", "time", ms(now));
        assertThat(Asks.deny(store, manual(), Asks.holder("n1")).until())
                .as("one max hold")
                .contains(at(now).plus(Duration.ofHours(24)));
        assertThat(Asks.deny(store, slot, Asks.holder("n1")).reason()).isEqualTo(DenialReason.TAKEN);

        redis.call("HSET", old, "status", "false");
        assertThat(Asks.deny(store, slot, Asks.holder("n1")).reason()).isEqualTo(DenialReason.PASSED);
        Denied soon = Asks.deny(store, slot(now.plusMillis(20)), Asks.holder("n1"));
        assertThat(soon.reason()).isEqualTo(DenialReason.TOO_SOON);
        assertThat(soon.until()).contains(at(now).plusSeconds(60));

        redis.call("HSET", old, "time", ms(now.minusMillis(59_000 + 1)));
        Asks.grant(store, slot(now.plusMillis(20)), Asks.holder("n1"));
    }

    /** The old code has it in Redis, so that it can be changed while the cluster runs. */
    @ParameterizedTest
    @ValueSource(strings = {HASH, STATUS})
    void o4IntervalIsReadAtEachAsk(String mode) {
        String config = "config:" + prefix;
        o4(mode, policy -> policy.setLegacyIntervalKey(config));
        Instant now = store.time();
        redis.call("HSET", old, "status", "false", "time", ms(now.minusSeconds(120)));
        JobRun slot = slot(now);

        Denied none = Asks.deny(store, slot, Asks.holder("n1"));
        assertThat(none.fault()).contains(StoreFault.FOREIGN_VALUE);
        assertThat(none.toString()).contains("'" + config + "'", "'intervaltime'", "legacyIntervalKey");
        redis.call("HSET", config, "intervaltime", "5");
        assertThat(Asks.deny(store, slot, Asks.holder("n1")).reason()).isEqualTo(DenialReason.TOO_SOON);
        redis.call("HSET", config, "intervaltime", "2");
        Asks.grant(store, slot, Asks.holder("n1"));
    }

    /** A job that runs for longer than the tolerance costs our nodes no slot: their interval counts from the slot. */
    @ParameterizedTest
    @ValueSource(strings = {HASH, STATUS})
    void o4IntervalOfOursCountsFromTheSlot(String mode) {
        o4(mode, policy -> policy.setLegacyInterval("1m"));
        Instant now = store.time();
        Asks.complete(store, in(Slot.of(now.minusSeconds(60), now, "minutely")), "n1");

        Asks.complete(store, in(Slot.of(now, now.plusSeconds(60), "minutely")), "n2");
    }

    /** One that began and ended in one millisecond has written one time twice. */
    @ParameterizedTest
    @ValueSource(strings = {HASH, STATUS})
    void o4ManualRunAfterAShortOneOfOursLeavesItOurs(String mode) {
        o4(mode, policy -> policy.setLegacyInterval("1ms"));
        Instant now = store.time();
        Asks.complete(store, slot(now.minusSeconds(120)), "n1");
        redis.call("HSET", prefix + LOCK, "legacy", String.join(" ", ms(now), ms(now), ms(now), ms(now)));
        redis.call("HSET", old, "time", ms(now));

        for (int i = 0; i < 3; i++) {
            Asks.complete(store, manual(), "n2");
        }
        assertThat(number("time")).isEqualTo(now.toEpochMilli());
        Asks.awaitPast(store, now.plusMillis(5));
        Asks.complete(store, slot(now.minusSeconds(60)), "n2");
    }

    @ParameterizedTest
    @ValueSource(strings = {HASH, STATUS})
    void o4HolderThatDiedIsTakenOverAfterOneMaxHoldAndReported(String mode) {
        o4(mode, policy -> {
            policy.setLegacyInterval("1m");
            policy.setMaxHold("1h");
        });
        Instant died = store.time().minusSeconds(3_595);
        redis.call("HSET", old, "status", "true", "time", ms(died));
        assertThat(Asks.deny(store, manual(), Asks.holder("n1")).reason()).isEqualTo(DenialReason.HELD);
        redis.call("HSET", old, "time", ms(died.minusSeconds(10)));

        StoreAnswer answer = Asks.grant(store, slot(store.time()), Asks.holder("n1"));

        assertThat(answer.abandoned().orElseThrow())
                .hasToString(
                        "run of an older version of the lock (key '" + old + "') since " + at(died.minusSeconds(10)));
    }

    /** An old holder that was given up comes back and frees it; the next renewal takes it again. */
    @ParameterizedTest
    @ValueSource(strings = {HASH, STATUS})
    void o4ThatAnOldNodeFreedIsTakenAgainByARenewal(String mode) {
        o4(mode, policy -> policy.setLegacyInterval("1m"));
        Holder holder = Asks.holder("n1");
        Asks.grant(store, manual(), holder);
        redis.call("HSET", old, "status", "false", "time", "1");

        assertThat(store.renew(LOCK, holder, Asks.LEASE)).isTrue();

        assertThat(redis.text("HGET", old, "status")).isEqualTo("true");
        assertThat(store.release(LOCK, holder)).isTrue();
        assertThat(redis.text("HGET", old, "status")).isEqualTo("false");
    }

    private void o2(String mode, Consumer<JobLockPolicy> more) {
        open(mode, LegacyLocks.o2("JOB_" + prefix + "{job}", more));
    }

    private void o4(String mode, Consumer<JobLockPolicy> more) {
        open(mode, LegacyLocks.o4("JOB_" + prefix + "{job}", more));
    }

    private void open(String mode, LegacyLock lock) {
        LockStore plain = mode.equals(HASH)
                ? new HashTimestampStore(client.template(), prefix)
                : new StatusTimeStore(client.template(), prefix);
        store = plain.withLegacy(lock);
    }

    private static JobRun manual() {
        return JobRun.exclusive(LOCK);
    }

    private static JobRun slot(Instant scheduled) {
        return in(Slot.of(scheduled, scheduled.plusSeconds(60), "minutely"));
    }

    private static JobRun in(Slot slot) {
        return JobRun.slot(LOCK, "lane", slot);
    }

    private static String ms(Instant instant) {
        return Long.toString(instant.toEpochMilli());
    }

    private static Instant at(Instant instant) {
        return Instant.ofEpochMilli(instant.toEpochMilli());
    }

    private long number(String field) {
        return Long.parseLong(Objects.requireNonNull(redis.text("HGET", old, field)));
    }

    private long pttl() {
        return Long.parseLong(redis.text("PTTL", old));
    }

    private boolean exists() {
        return redis.text("EXISTS", old).equals("1");
    }
}
