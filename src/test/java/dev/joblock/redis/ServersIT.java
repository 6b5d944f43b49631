package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Denied;
import dev.joblock.Granted;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.LockOutcome;
import dev.joblock.StoreFault;
import dev.joblock.testing.RedisServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** The kit's own connections to a master that a sentinel watches, and to a Redis Cluster, through the file to import. */
class ServersIT {

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"hash-timestamp", "status-time", "token"})
    void masterIsFoundThroughItsSentinel(String mode) throws IOException {
        try (RedisServer master = RedisServer.launch();
                RedisServer sentinel = sentinel(master);
                GenericXmlApplicationContext context = host(Map.of(
                        "joblock.mode",
                        mode,
                        "joblock.redis.sentinel.master",
                        "locks",
                        "joblock.redis.sentinel.nodes",
                        sentinel.host() + ":" + sentinel.port()))) {
            release(service(context).tryLock(JobRun.exclusive("job")));
            assertThat(master.text("DBSIZE")).isNotEqualTo("0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hash-timestamp", "token"})
    void clusterKeepsTheKeysOfALockTogether(String mode) throws IOException {
        try (RedisServer node = cluster();
                GenericXmlApplicationContext context = host(
                        Map.of("joblock.mode", mode, "joblock.redis.cluster.nodes", node.host() + ":" + node.port()))) {
            LockOutcome first = service(context).tryLock(JobRun.exclusive("job"));
            assertThat(first.isGranted()).as(first.toString()).isTrue();
            assertThat(service(context).tryLock(JobRun.exclusive("job")).isGranted())
                    .isFalse();
            release(first);
            release(service(context).tryLock(JobRun.exclusive("job")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"joblock.redis.sentinel.nodes", "joblock.redis.cluster.nodes"})
    void serversThatAreAwayDoNotHinderTheStartAndAreUsedOnceTheyAreThere(String setting) {
        Map<String, Object> settings = setting.contains("sentinel")
                ? Map.of(setting, "127.0.0.1:1", "joblock.redis.sentinel.master", "locks")
                : Map.of(setting, "127.0.0.1:1");
        try (GenericXmlApplicationContext context = host(settings)) {
            LockOutcome outcome = service(context).tryLock(JobRun.exclusive("job"));

            assertThat(outcome).isInstanceOf(Denied.class);
            assertThat(((Denied) outcome).fault()).as(outcome.toString()).contains(StoreFault.UNREACHABLE);
        }
    }

    @Test
    void sentinelThatComesLateIsFound() throws IOException {
        try (RedisServer master = RedisServer.launch();
                RedisServer sentinel = sentinel(master)) {
            sentinel.kill();
            try (GenericXmlApplicationContext context = host(Map.of(
                    "joblock.redis.sentinel.master",
                    "locks",
                    "joblock.redis.sentinel.nodes",
                    sentinel.host() + ":" + sentinel.port()))) {
                LockOutcome outcome = service(context).tryLock(JobRun.exclusive("job"));
                assertThat(outcome.isGranted()).isFalse();
                sentinel.start();

                Awaitility.await()
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> service(context)
                                .tryLock(JobRun.exclusive("next"))
                                .isGranted());
            }
        }
    }

    @Test
    void masterThatSentinelsFailOverToIsUsed() throws IOException {
        try (RedisServer master = RedisServer.launch();
                RedisServer replica =
                        RedisServer.launch("--replicaof", master.host(), Integer.toString(master.port()));
                RedisServer sentinel = sentinel(master);
                GenericXmlApplicationContext context = host(Map.of(
                        "joblock.redis.sentinel.master",
                        "locks",
                        "joblock.redis.sentinel.nodes",
                        sentinel.host() + ":" + sentinel.port()))) {
            release(service(context).tryLock(JobRun.exclusive("job")));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> sentinel.text("SENTINEL", "replicas", "locks").contains("flags, slave,"));
            master.kill();

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() ->
                            service(context).tryLock(JobRun.exclusive("next")).isGranted());
            assertThat(replica.text("EXISTS", "joblock:next")).isEqualTo("1");
        }
    }

    private RedisServer sentinel(RedisServer master) throws IOException {
        Path file = folder.resolve("sentinel.conf");
        Files.writeString(file, """
                sentinel monitor locks %s %d 1
                sentinel down-after-milliseconds locks 500
                sentinel failover-timeout locks 3000
                """.formatted(master.host(), master.port()));
        return RedisServer.launch(file.toString(), "--sentinel");
    }

    private static RedisServer cluster() {
        RedisServer node = RedisServer.launch("--cluster-enabled", "yes");
        String[] command = new String[2 + 16_384];
        command[0] = "CLUSTER";
        command[1] = "ADDSLOTS";
        for (int slot = 0; slot < 16_384; slot++) {
            command[2 + slot] = Integer.toString(slot);
        }
        node.call(command);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> node.text("CLUSTER", "INFO").contains("cluster_state:ok"));
        return node;
    }

    private static GenericXmlApplicationContext host(Map<String, Object> settings) {
        GenericXmlApplicationContext context = new GenericXmlApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", settings));
        context.getEnvironment()
                .getPropertySources()
                .addLast(new MapPropertySource("patience", Map.of("joblock.ask-budget", "10s")));
        context.load(new ByteArrayResource("""
                <beans xmlns="http://www.springframework.org/schema/beans"
                       xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                       xsi:schemaLocation="http://www.springframework.org/schema/beans https://www.springframework.org/schema/beans/spring-beans.xsd">
                    <import resource="classpath:spring/joblock.xml"/>
                </beans>
                """.getBytes(StandardCharsets.UTF_8)));
        context.refresh();
        return context;
    }

    private static JobLockService service(GenericXmlApplicationContext context) {
        return context.getBean(JobLockService.class);
    }

    private static void release(LockOutcome outcome) {
        assertThat(outcome.isGranted()).as(outcome.toString()).isTrue();
        ((Granted) outcome).lock().release();
    }
}
