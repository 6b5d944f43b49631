package dev.joblock.redis;

import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockStore;
import dev.joblock.Slot;
import dev.joblock.StoreAnswer;
import dev.joblock.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.springframework.data.redis.core.RedisOperations;

/**
 * What each part of the contract is told about the store that it runs on, and its words for asking it.
 *
 * <p>Slots are turned by hand: they lie in the hours before the test began, so that no test waits for a schedule.
 */
interface StoreFixture {
    String LOCK = "invoice";
    String LANE = "DEFAULT.invoice nightly";
    String CRON = "0 0 * * * ? Europe/Berlin";

    /** The store under test, on the shared server, with a prefix that no other test has. */
    LockStore store();

    /** A store of the kind under test. */
    LockStore open(RedisOperations<?, ?> template, String prefix);

    RedisServer redis();

    String prefix();

    /** Redis time when the test began. */
    Instant start();

    /** The instant of the n-th of twenty hours before the test began. */
    default Instant hour(int n) {
        return start().minus(Duration.ofHours(20 - n));
    }

    default Slot slot(int n) {
        return Slot.of(hour(n), hour(n + 1), CRON);
    }

    default JobRun hourly(int n) {
        return JobRun.slot(LOCK, LANE, slot(n));
    }

    default JobRun in(String lane, Slot slot) {
        return JobRun.slot(LOCK, lane, slot);
    }

    default JobRun owed(int n) {
        return JobRun.owed(LOCK, LANE, hour(n));
    }

    default JobRun manual() {
        return JobRun.exclusive(LOCK);
    }

    default String key() {
        return prefix() + LOCK;
    }

    /** The key of the record; {@link #key} where the lock is nothing else. */
    default String recordKey() {
        return recordKey(LOCK);
    }

    default String recordKey(String lockName) {
        return prefix() + lockName;
    }

    /** All keys of a lock, whose name is given as it is in a key. */
    default Set<String> keys(String prefix, String encodedName) {
        return Set.of(prefix + encodedName);
    }

    /** Loses what there is of the lock, as a server does that forgets. */
    default void lose() {
        redis().call("DEL", key(), recordKey());
    }

    default long pttl() {
        return Long.parseLong(redis().text("PTTL", recordKey()));
    }

    default boolean exists() {
        return redis().text("EXISTS", recordKey()).equals("1");
    }

    default Holder holder(String node) {
        return Asks.holder(node);
    }

    default StoreAnswer ask(JobRun run, String node) {
        return Asks.ask(store(), run, holder(node));
    }

    default StoreAnswer grant(JobRun run, Holder holder) {
        return Asks.grant(store(), run, holder);
    }

    default StoreAnswer grant(JobRun run, Holder holder, Duration lease) {
        return Asks.grant(store(), run, holder, lease);
    }

    default Denied deny(JobRun run, String node) {
        return Asks.deny(store(), run, holder(node));
    }

    default StoreAnswer complete(JobRun run, String node) {
        return Asks.complete(store(), run, node);
    }

    default StoreAnswer die(JobRun run, String node) {
        return Asks.die(store(), run, node);
    }

    default void awaitPast(Instant redisTime) {
        Asks.awaitPast(store(), redisTime);
    }
}
