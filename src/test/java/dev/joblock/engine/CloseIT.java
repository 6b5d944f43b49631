package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.LockMode;
import dev.joblock.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Execution(ExecutionMode.CONCURRENT)
class CloseIT {

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void closeLeavesNoThreadBehindAndHeldLeasesToTheirEnd(LockMode mode) {
        String id = UUID.randomUUID().toString();
        try (RedisServer redis = RedisServer.launch();
                EngineLogs logs = new EngineLogs()) {
            RealNode node = RealNode.on(redis).id(id).mode(mode).lease("2s").open();
            JobLock lock = node.grant("job");
            node.grant("other").release();
            assertThat(threads(id)).isNotEmpty();
            String record = mode == LockMode.TOKEN ? "{job}:joblock" : "job";
            String until = redis.text("HGET", record, "until");

            node.close();

            assertThat(logs.warnings())
                    .anyMatch(warning -> warning.startsWith("This node closes while it holds [lock 'job' of"));
            Awaitility.await().untilAsserted(() -> assertThat(threads(id)).isEmpty());
            assertThat(redis.text("HGET", record, "until")).isEqualTo(until);
            assertThat(redis.text("HGET", record, "status")).isEqualTo("true");
            try (RealNode other = RealNode.on(redis).mode(mode).open()) {
                assertThat(other.service.tryLock(JobRun.exclusive("job")).isGranted())
                        .isFalse();
                assertThat(other.service
                                .tryLock(JobRun.exclusive("job"), Duration.ofSeconds(10))
                                .isGranted())
                        .isTrue();
            }
            assertThat(lock.isHeld()).isFalse();
            lock.release();
            assertThat(threads(id)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(LockMode.class)
    void closeIsBoundedWhileTheServerIsSilent(LockMode mode) {
        String id = UUID.randomUUID().toString();
        try (RedisServer redis = RedisServer.launch();
                EngineLogs logs = new EngineLogs()) {
            RealNode node = RealNode.on(redis)
                    .id(id)
                    .mode(mode)
                    .timeout(Duration.ofSeconds(2))
                    .open();
            JobLock lock = node.grant("job");
            redis.pause();
            lock.release();
            long begin = System.nanoTime();

            node.close();

            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(5_500));
            assertThat(logs.warnings())
                    .contains("This node closes while the store has not confirmed the end of some leases");
            Awaitility.await().untilAsserted(() -> assertThat(threads(id)).isEmpty());
        }
    }

    private static List<String> threads(String owner) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.contains(owner))
                .toList();
    }
}
