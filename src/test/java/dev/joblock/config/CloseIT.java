package dev.joblock.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.LockOutcome;
import dev.joblock.engine.DefaultJobLockService;
import dev.joblock.testing.RedisExtension;
import dev.joblock.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.GenericXmlApplicationContext;

/** The end of a context while a job is at work. Alone, since it counts the threads of the JVM. */
@Isolated
class CloseIT {

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    private static final String HOSTS = """
            <bean id="hosts" class="org.springframework.data.redis.connection.jedis.JedisConnectionFactory">
                <constructor-arg>
                    <bean class="org.springframework.data.redis.connection.RedisStandaloneConfiguration">
                        <constructor-arg value="${redis.host}"/>
                        <constructor-arg value="${redis.port}"/>
                    </bean>
                </constructor-arg>
            </bean>
            <bean class="org.springframework.context.support.PropertySourcesPlaceholderConfigurer"/>
            """;

    @ParameterizedTest
    @ValueSource(strings = {"", "hosts"})
    void closingWaitsForAJobAndItsReleaseReachesRedis(String connectionFactory) throws InterruptedException {
        GenericXmlApplicationContext context = host(HOSTS + Host.IMPORT)
                .environment("joblock.redis.connection-factory", connectionFactory)
                .start();
        CountDownLatch closing = new CountDownLatch(1);
        context.addApplicationListener((ApplicationListener<ContextClosedEvent>) event -> closing.countDown());
        JobLock lock = lock(context, "waits" + connectionFactory);
        Thread close = new Thread(context::close);

        close.start();
        assertThat(closing.await(10, TimeUnit.SECONDS)).isTrue();
        awaitDraining(close);
        assertThat(lock.isHeld()).isTrue();
        lock.release();
        close.join(10_000);

        assertThat(close.isAlive()).isFalse();
        assertThat(lock.isHeld()).isFalse();
        try (GenericXmlApplicationContext next = host(Host.IMPORT).start()) {
            lock(next, lock.lockName()).release();
        }
    }

    @Test
    void closingWaitsForABoundedTimeAndLeavesTheLockToItsEnd() {
        GenericXmlApplicationContext context = host("""
                <bean id="joblockDrain" class="dev.joblock.config.JobLockDrain" autowire-candidate="false" p:timeout="300ms">
                    <constructor-arg ref="jobLockService"/>
                </bean>
                """ + Host.IMPORT).start();
        JobLock lock = lock(context, "bounded");
        long begin = System.nanoTime();

        try (Logs logs = Logs.of(DefaultJobLockService.class)) {
            context.close();

            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isBetween(Duration.ofMillis(300), Duration.ofSeconds(8));
            assertThat(logs.warnings())
                    .isNotEmpty()
                    .allSatisfy(warning -> assertThat(warning).contains(lock.lockName()));
        }
        try (GenericXmlApplicationContext next = host(Host.IMPORT).start()) {
            assertThat(next.getBean(JobLockService.class).addJobLock(lock.lockName()))
                    .isFalse();
        }
    }

    private static final String SCHEDULER = """
            <bean class="org.springframework.scheduling.quartz.SchedulerFactoryBean"
                  p:waitForJobsToCompleteOnShutdown="%s" p:autoStartup="false" p:schedulerName="%s"/>
            """;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void jobsAreInterruptedWhereNoSchedulerWaitsForThem(boolean waits) throws InterruptedException {
        GenericXmlApplicationContext context =
                host(SCHEDULER.formatted(waits, "close-" + waits) + Host.IMPORT).start();
        JobLockService service = context.getBean(JobLockService.class);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        AtomicBoolean flagAfterwards = new AtomicBoolean();
        Thread worker = new Thread(() -> {
            service.run(JobRun.exclusive("works" + waits), () -> {
                begun.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    interrupted.set(true);
                    Thread.currentThread().interrupt();
                }
            });
            flagAfterwards.set(Thread.currentThread().isInterrupted());
        });
        worker.start();
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        Thread close = new Thread(context::close);
        close.start();

        if (waits) {
            awaitDraining(close);
            awaitDraining(close);
            assertThat(interrupted).isFalse();
            end.countDown();
        }
        close.join(20_000);
        worker.join(20_000);

        assertThat(close.isAlive() || worker.isAlive()).isFalse();
        assertThat(interrupted.get()).isEqualTo(!waits);
        assertThat(flagAfterwards).isFalse();
        try (GenericXmlApplicationContext next = host(Host.IMPORT).start()) {
            lock(next, "works" + waits).release();
        }
    }

    @Test
    void redisThatIsAwayHoldsNobodyUp() {
        try (RedisServer server = RedisServer.launch()) {
            GenericXmlApplicationContext context = host(Host.IMPORT)
                    .environment("joblock.redis.port", Integer.toString(server.port()))
                    .start();
            JobLock lock = lock(context, "away");
            server.kill();
            lock.release();
            long begin = System.nanoTime();

            try (Logs logs = Logs.of(DefaultJobLockService.class)) {
                context.close();

                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(15));
                assertThat(logs.warnings())
                        .first()
                        .asString()
                        .contains("has not confirmed the end of the locks [away]; their leases end by themselves");
            }
        }
    }

    @Test
    void nothingIsLeftRunningAfterwards() {
        Set<Thread> before = threads();
        try (GenericXmlApplicationContext context = host(Host.IMPORT).start()) {
            lock(context, "nothing left").release();
            assertThat(threads()).hasSizeGreaterThan(before.size());
        }

        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(threads())
                        .filteredOn(thread -> !before.contains(thread))
                        .isEmpty());
    }

    private static Host host(String beans) {
        return Host.of(beans)
                .environment("joblock.ask-budget", "10s")
                .environment("redis.host", redis.host())
                .environment("joblock.redis.host", redis.host())
                .environment("redis.port", Integer.toString(redis.port()))
                .environment("joblock.redis.port", Integer.toString(redis.port()));
    }

    private static JobLock lock(GenericXmlApplicationContext context, String lockName) {
        LockOutcome outcome = context.getBean(JobLockService.class).tryLock(JobRun.exclusive(lockName));
        assertThat(outcome.isGranted()).as(outcome.toString()).isTrue();
        return ((Granted) outcome).lock();
    }

    /** Waits until the closing thread is inside the drain. */
    private static void awaitDraining(Thread close) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(close.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(JobLockDrain.class.getName())));
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> List.of("joblock", "commons-pool").stream()
                        .anyMatch(prefix -> thread.getName().startsWith(prefix)))
                .collect(Collectors.toSet());
    }
}
