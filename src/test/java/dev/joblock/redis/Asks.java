package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockRequest;
import dev.joblock.LockStore;
import dev.joblock.StoreAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.awaitility.Awaitility;

/** How tests ask a store. */
final class Asks {
    static final Duration LEASE = Duration.ofSeconds(30);

    private Asks() {}

    /** A new acquisition of a node. */
    static Holder holder(String node) {
        return new Holder(node, UUID.randomUUID().toString());
    }

    static StoreAnswer ask(LockStore store, JobRun run, Holder holder, Duration lease) {
        return store.acquire(new LockRequest(run.lockName(), run, holder, lease, true));
    }

    static StoreAnswer ask(LockStore store, JobRun run, Holder holder) {
        return ask(store, run, holder, LEASE);
    }

    static StoreAnswer grant(LockStore store, JobRun run, Holder holder, Duration lease) {
        StoreAnswer answer = ask(store, run, holder, lease);
        assertThat(answer.denial()).as("denial of %s to %s", run, holder.node()).isEmpty();
        assertThat(answer.fencingToken()).isPositive();
        return answer;
    }

    static StoreAnswer grant(LockStore store, JobRun run, Holder holder) {
        return grant(store, run, holder, LEASE);
    }

    static Denied deny(LockStore store, JobRun run, Holder holder) {
        StoreAnswer answer = ask(store, run, holder);
        assertThat(answer.denial()).as("denial of %s to %s", run, holder.node()).isPresent();
        assertThat(answer.fencingToken()).isZero();
        return answer.denial().orElseThrow();
    }

    /** A run that was granted and has ended. */
    static StoreAnswer complete(LockStore store, JobRun run, String node) {
        Holder holder = holder(node);
        StoreAnswer answer = grant(store, run, holder);
        assertThat(store.release(run.lockName(), holder)).isTrue();
        return answer;
    }

    /** A run that was granted and whose node has died, its lease over. */
    static StoreAnswer die(LockStore store, JobRun run, String node) {
        StoreAnswer answer = grant(store, run, holder(node), Duration.ofMillis(1));
        awaitPast(store, answer.since().plusMillis(1));
        return answer;
    }

    /** Waits until Redis time is later than an instant. */
    static void awaitPast(LockStore store, Instant redisTime) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> store.time().isAfter(redisTime));
    }
}
