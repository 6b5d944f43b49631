package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockStore;
import dev.joblock.StoreAnswer;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The server did what it was asked, and its answer never came. */
interface LostAnswerContract extends StoreFixture {

    /** A word of the request with which a grant takes effect. */
    String decisiveCommand();

    @Test
    default void grantWhoseAnswerTimesOutMayBeAppliedAndIsSettledByCancel() {
        Holder holder = holder("n1");
        loseAnswer(FaultProxy::swallowAnswerTo, holder, StoreFault.TIMEOUT);

        assertThat(deny(hourly(10), "n2").other().orElseThrow().node()).isEqualTo("n1");
        store().cancel(LOCK, holder);
        complete(hourly(10), "n2");
    }

    @Test
    default void grantWhoseConnectionIsCutMayBeAppliedAndIsSettledByCancel() {
        Holder holder = holder("n1");
        loseAnswer(FaultProxy::cutAtAnswerTo, holder, StoreFault.DISCONNECTED);

        store().cancel(LOCK, holder);
        complete(hourly(10), "n2");
    }

    @Test
    default void holderThatAsksAgainAfterALostAnswerHasItsGrant() {
        Holder holder = holder("n1");
        loseAnswer(FaultProxy::swallowAnswerTo, holder, StoreFault.TIMEOUT);
        long token = deny(manual(), "n2").other().orElseThrow().fencingToken();

        assertThat(grant(hourly(10), holder).fencingToken()).isEqualTo(token);
        assertThat(store().release(LOCK, holder)).isTrue();
        assertThat(deny(hourly(10), "n2").reason()).isEqualTo(DenialReason.TAKEN);
    }

    /** Answers must not be taken for those of the next request on the same connection. */
    @Test
    default void lostAnswerIsNobodyElsesAnswer() {
        try (FaultProxy proxy = new FaultProxy(redis());
                RedisClient client = client(proxy, 1_500)) {
            LockStore store = open(client.template(), prefix());
            store.time();
            proxy.swallowAnswerTo(decisiveCommand());
            Calls.refusal(store, hourly(10));
            proxy.heal();

            for (int i = 0; i < 100; i++) {
                Holder holder = holder("n" + i);
                String name = "lock" + i;
                StoreAnswer answer = Asks.grant(store, JobRun.exclusive(name), holder);
                assertThat(Asks.deny(store(), JobRun.exclusive(name), holder("x"))
                                .other()
                                .orElseThrow()
                                .fencingToken())
                        .isEqualTo(answer.fencingToken());
                assertThat(store.release(name, holder)).isTrue();
            }
        }
    }

    private void loseAnswer(BiConsumer<FaultProxy, String> how, Holder holder, StoreFault fault) {
        try (FaultProxy proxy = new FaultProxy(redis());
                RedisClient client = client(proxy, 500)) {
            LockStore store = open(client.template(), prefix());
            store.time();
            how.accept(proxy, decisiveCommand());

            Calls.Refusal refusal =
                    Objects.requireNonNull(Calls.refusalOf(() -> Calls.acquire(store, hourly(10), holder)));

            // Jedis 6 hides the time-out of an EXEC behind the broken connection that it leaves.
            assertThat(refusal.fault()).isIn(fault, StoreFault.DISCONNECTED);
            assertThat(refusal.maybeApplied()).isTrue();
            assertThat(refusal.text()).contains(key());
            Awaitility.await().until(this::exists);
        }
    }

    private static RedisClient client(FaultProxy proxy, long timeoutMillis) {
        return RedisClient.of("127.0.0.1", proxy.port(), 1, Duration.ofMillis(timeoutMillis));
    }
}
