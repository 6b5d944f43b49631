package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Holder;
import dev.joblock.LockStore;
import dev.joblock.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What it means on the wire that every call is one script. */
interface ScriptContract extends StoreFixture {

    @Test
    default void everyCallIsOneScriptAndOneRoundTrip() {
        try (RedisServer server = RedisServer.launch();
                RedisClient client = RedisClient.of(server, 1)) {
            LockStore store = open(client.template(), "wire:");
            cycle(store);
            try (CommandLog log = new CommandLog(server)) {
                Holder holder = holder("n1");
                assertThat(log.namesDuring(() -> Asks.grant(store, hourly(12), holder)))
                        .as("grant")
                        .isEqualTo(List.of("EVALSHA"));
                assertThat(log.namesDuring(() -> Asks.deny(store, hourly(12), holder("n2"))))
                        .as("denial")
                        .isEqualTo(List.of("EVALSHA"));
                assertThat(log.namesDuring(() -> store.renew(LOCK, holder, Asks.LEASE)))
                        .as("renewal")
                        .isEqualTo(List.of("EVALSHA"));
                assertThat(log.namesDuring(() -> store.release(LOCK, holder)))
                        .as("release")
                        .isEqualTo(List.of("EVALSHA"));
                assertThat(log.namesDuring(() -> store.unclaim(LOCK, holder)))
                        .as("un-claim")
                        .isEqualTo(List.of("EVALSHA"));
                assertThat(log.namesDuring(() -> store.cancel(LOCK, holder("n3"))))
                        .as("cancel")
                        .isEqualTo(List.of("EVALSHA"));
                assertThat(log.namesDuring(store::time)).as("time").hasSize(1);
            }
        }
    }

    @Test
    default void scriptIsSentAgainWhereTheServerHasForgottenIt() {
        try (RedisServer server = RedisServer.launch();
                RedisClient client = RedisClient.of(server, 2)) {
            LockStore store = open(client.template(), "flush:");
            for (int n = 0; n < 5; n++) {
                server.call("SCRIPT", "FLUSH");
                Holder holder = holder("n1");
                Asks.grant(store, hourly(2 * n), holder);
                server.call("SCRIPT", "FLUSH");
                assertThat(store.renew(LOCK, holder, Duration.ofHours(1))).isTrue();
                server.call("SCRIPT", "FLUSH");
                assertThat(store.release(LOCK, holder)).isTrue();
                server.call("SCRIPT", "FLUSH");
                store.cancel(LOCK, holder("n2"));
                Holder unclaimed = holder("n3");
                Asks.grant(store, hourly(2 * n + 1), unclaimed);
                server.call("SCRIPT", "FLUSH");
                assertThat(store.unclaim(LOCK, unclaimed)).isTrue();
            }
        }
    }

    private void cycle(LockStore store) {
        Holder holder = holder("n1");
        Asks.grant(store, hourly(1), holder);
        store.renew(LOCK, holder, Asks.LEASE);
        store.release(LOCK, holder);
        store.unclaim(LOCK, holder);
        store.cancel(LOCK, holder);
    }
}
