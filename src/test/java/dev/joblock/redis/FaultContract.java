package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockStore;
import dev.joblock.StoreFault;
import dev.joblock.testing.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/** A server that is away, refuses or does not answer: said by its name, and over when it is over. */
interface FaultContract extends StoreFixture {
    /** What a busy machine never reaches, and what a test waits for. */
    Duration PATIENCE = Duration.ofSeconds(5);

    Duration IMPATIENCE = Duration.ofMillis(500);

    @Test
    default void serverThatIsAwayIsUnreachable() {
        try (RedisServer server = RedisServer.launch();
                RedisClient client = client(server, 4)) {
            LockStore store = open(client.template(), "away:");
            server.stop();

            assertEachCall(store, holder("n1"), StoreFault.UNREACHABLE);
            assertThat(Objects.requireNonNull(Calls.refusalOf(store::time)).fault())
                    .isEqualTo(StoreFault.UNREACHABLE);

            server.start();
            Asks.complete(store, hourly(10), "n1");
        }
    }

    @Test
    default void serverThatDiesIsLostAndUsedAgainWhenItIsBack() {
        try (RedisServer server = RedisServer.launch();
                RedisClient client = client(server, 2)) {
            LockStore store = open(client.template(), "dies:");
            Asks.complete(store, hourly(9), "n1");
            server.kill();

            assertThat(Calls.refusal(store, hourly(10)).fault()).isIn(StoreFault.DISCONNECTED, StoreFault.UNREACHABLE);

            server.start();
            int tries = 1;
            while (Calls.refusalOf(() -> Calls.acquire(store, hourly(10), holder("n1"))) != null) {
                assertThat(tries++).as("failed tries after the restart").isLessThanOrEqualTo(2);
            }
        }
    }

    @Test
    default void serverThatDoesNotAnswerIsATimeOut() {
        try (RedisServer server = RedisServer.launch();
                RedisClient client = impatient(server, 2);
                RedisClient patient = client(server, 1)) {
            LockStore store = open(client.template(), "slow:");
            Asks.complete(store, hourly(9), "n0");
            Holder late = holder("n1");
            server.pause();
            try {
                Calls.Refusal refusal =
                        Objects.requireNonNull(Calls.refusalOf(() -> Calls.acquire(store, hourly(10), late)));
                assertThat(refusal.fault()).isEqualTo(StoreFault.TIMEOUT);
                assertThat(refusal.text()).contains("slow:" + LOCK);
            } finally {
                server.resume();
            }
            LockStore settling = open(patient.template(), "slow:");
            settling.cancel(LOCK, late);
            Asks.complete(settling, hourly(10), "n2");
        }
    }

    @Test
    default void replicaIsReadOnlyAndNothingIsApplied() {
        try (RedisServer server = RedisServer.launch();
                RedisClient client = client(server, 4)) {
            LockStore store = open(client.template(), "replica:");
            Holder holder = holder("n1");
            Asks.grant(store, hourly(10), holder);
            server.call("REPLICAOF", "127.0.0.1", "1");

            assertThat(Calls.refusal(store, JobRun.exclusive("export")).fault()).isEqualTo(StoreFault.READONLY);
            assertEachCall(store, holder, StoreFault.READONLY, "acquire");

            server.call("REPLICAOF", "NO", "ONE");
            ignoringFailure(store::time);
            assertThat(store.release(LOCK, holder)).isTrue();
            Asks.complete(store, hourly(11), "n2");
        }
    }

    @ParameterizedTest
    @CsvSource({"OUT_OF_MEMORY, maxmemory, 1, 0", "NO_REPLICAS, min-replicas-to-write, 1, 0"})
    default void serverThatTakesNoWritesSaysWhy(StoreFault fault, String setting, String bad, String good) {
        try (RedisServer server = RedisServer.launch();
                RedisClient client = client(server, 4)) {
            LockStore store = open(client.template(), "refuses:");
            server.call("CONFIG", "SET", setting, bad);

            Calls.Refusal refusal = Calls.refusal(store, hourly(10));

            assertThat(refusal.fault()).isEqualTo(fault);
            assertThat(refusal.maybeApplied()).isFalse();
            assertThat(refusal.text()).contains("refuses:" + LOCK);
            server.call("CONFIG", "SET", setting, good);
            Asks.complete(store, hourly(10), "n1");
        }
    }

    @Test
    default void serverThatCannotSaveSaysSo() {
        try (RedisServer server = RedisServer.launch("--save", "3600", "1", "--loglevel", "warning");
                RedisClient client = client(server, 4)) {
            LockStore store = open(client.template(), "misconf:");
            server.call("SET", "some", "thing");
            server.call("CONFIG", "SET", "dbfilename", "x");
            Path folder = Path.of(server.text("CONFIG", "GET", "dir").replaceAll("^\\[dir, (.*)]$", "$1"));
            assertThat(folder.toFile().setWritable(false)).isTrue();
            Path blocking = folder.resolve("x");
            assertThat(blocking.toFile().mkdir()
                            && blocking.resolve("y").toFile().mkdir())
                    .as("a folder where the dump should go")
                    .isTrue();
            server.call("BGSAVE");
            Awaitility.await().until(() -> server.text("INFO", "persistence").contains("rdb_last_bgsave_status:err"));

            Calls.Refusal refusal = Calls.refusal(store, hourly(10));

            assertThat(refusal.fault()).isEqualTo(StoreFault.MISCONFIGURED);
            assertThat(refusal.maybeApplied()).isFalse();
            assertThat(folder.toFile().setWritable(true)).isTrue();
        }
    }

    @Test
    default void serverThatLoadsItsFileSaysSo() {
        // While it loads, a server answers once in two megabytes only.
        try (RedisServer server =
                        RedisServer.launch("--save", "3600", "1", "--rdbcompression", "no", "--key-load-delay", "500");
                RedisClient client = RedisClient.of(server, 4)) {
            LockStore store = open(client.template(), "loading:");
            server.call(
                    "EVAL", "for i = 1, 3000 do redis.call('SET', 'k' .. i, string.rep('x', 4000)) end return 1", "0");
            server.stop();
            CompletableFuture<Void> started = CompletableFuture.runAsync(server::start);
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> {
                        Calls.Refusal refusal = Calls.refusalOf(store::time);
                        return refusal == null || refusal.fault() != StoreFault.UNREACHABLE;
                    });

            Calls.Refusal refusal = Calls.refusal(store, hourly(10));

            assertThat(refusal.fault()).isEqualTo(StoreFault.LOADING);
            assertThat(refusal.maybeApplied()).isFalse();
            started.join();
            Asks.complete(store, hourly(10), "n1");
        }
    }

    @Test
    default void serverThatIsBusyWithAScriptSaysSo() {
        try (RedisServer server = RedisServer.launch("--lua-time-limit", "1");
                RedisClient client = client(server, 4)) {
            LockStore store = open(client.template(), "busy:");
            store.time();
            CompletableFuture<Void> endless = CompletableFuture.runAsync(
                    () -> ignoringFailure(() -> server.call("EVAL", "while true do end", "0")));
            Awaitility.await().until(() -> {
                try {
                    server.call("PING");
                    return false;
                } catch (IllegalStateException e) {
                    return String.valueOf(e.getMessage()).startsWith("BUSY");
                }
            });

            Calls.Refusal refusal = Calls.refusal(store, hourly(10));

            assertThat(refusal.fault()).isEqualTo(StoreFault.BUSY);
            assertThat(refusal.maybeApplied()).isFalse();
            server.call("SCRIPT", "KILL");
            endless.join();
            Asks.complete(store, hourly(10), "n1");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'+@all -@scripting -@transaction'",
        "'+@all -@write'",
        "'+@all -@hash'",
    })
    default void userWhoMayNotIsToldSo(String rights) {
        try (RedisServer server = RedisServer.launch()) {
            server.call(("ACL SETUSER job on >secret ~* " + rights).split(" "));
            try (RedisClient client = RedisClient.of(login(server, "job", "secret"), 2, PATIENCE)) {
                LockStore store = open(client.template(), "acl:");

                Calls.Refusal refusal = Calls.refusal(store, hourly(10));

                assertThat(refusal.fault()).isEqualTo(StoreFault.NOT_PERMITTED);
                assertThat(refusal.maybeApplied()).isFalse();
            }
            server.call("ACL", "SETUSER", "job", "+@all");
            try (RedisClient client = RedisClient.of(login(server, "job", "secret"), 2, PATIENCE)) {
                Asks.complete(open(client.template(), "acl:"), hourly(10), "n1");
            }
        }
    }

    @Test
    default void wrongPasswordIsNotPermitted() {
        try (RedisServer server = RedisServer.launch()) {
            server.call("ACL", "SETUSER", "job", "on", ">secret", "~*", "+@all");
            try (RedisClient client = RedisClient.of(login(server, "job", "wrong"), 2, PATIENCE)) {
                assertEachCall(open(client.template(), "acl:"), holder("n1"), StoreFault.NOT_PERMITTED);
            }
        }
    }

    @Test
    default void poolThatIsEmptySaysSoAndNothingIsApplied() {
        try (RedisClient client = impatient(redis(), 1)) {
            LockStore store = open(client.template(), prefix());
            RedisConnection busy = client.busy();

            assertEachCall(store, holder("n1"), StoreFault.POOL_EMPTY);

            busy.unwatch();
            busy.close();
        }
        complete(hourly(10), "n1");
    }

    private RedisClient client(RedisServer server, int poolSize) {
        return RedisClient.of(server.host(), server.port(), poolSize, PATIENCE);
    }

    private RedisClient impatient(RedisServer server, int poolSize) {
        return RedisClient.of(server.host(), server.port(), poolSize, IMPATIENCE);
    }

    private static RedisStandaloneConfiguration login(RedisServer server, String user, String password) {
        RedisStandaloneConfiguration login = new RedisStandaloneConfiguration(server.host(), server.port());
        login.setUsername(user);
        login.setPassword(password);
        return login;
    }

    /** Each call fails so, nothing of it can have been done, and its message names the key. */
    private void assertEachCall(LockStore store, Holder holder, StoreFault fault, String... except) {
        Calls.all(store, hourly(10), holder).forEach((name, call) -> {
            if (List.of(except).contains(name)) {
                return;
            }
            Calls.Refusal refusal = Calls.refusalOf(call);
            assertThat(refusal).as(name).isNotNull();
            if (fault == StoreFault.READONLY && Objects.requireNonNull(refusal).fault() == StoreFault.DISCONNECTED) {
                // The call before hung up on the demoted server.
                refusal = Calls.refusalOf(call);
            }
            assertThat(Objects.requireNonNull(refusal).fault()).as(name).isEqualTo(fault);
            assertThat(refusal.maybeApplied()).as("%s may be applied", name).isFalse();
            assertThat(refusal.text()).as(name).contains(LOCK);
        });
    }

    private static void ignoringFailure(Runnable command) {
        try {
            command.run();
        } catch (RuntimeException killed) {
            assertThat(killed).isNotNull();
        }
    }
}
