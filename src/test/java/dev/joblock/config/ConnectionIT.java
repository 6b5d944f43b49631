package dev.joblock.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.LockOutcome;
import dev.joblock.StoreFault;
import dev.joblock.testing.RedisExtension;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.PropertyPlaceholderConfigurer;
import org.springframework.context.support.GenericXmlApplicationContext;

/** The imported beans on a real Redis. */
@SuppressWarnings({"deprecation", "removal"}) // hosts use the old configurer, so it is tested as long as Spring has it
class ConnectionIT {

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    private static final JobRun RUN = JobRun.exclusive("invoice");

    @AfterEach
    void freshServer() {
        redis.server().restart();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hash-timestamp", "status-time", "token"})
    void twoHostsThatOnlyImportExcludeEachOther(String mode) {
        try (GenericXmlApplicationContext one =
                        host().environment("joblock.mode", mode).start();
                GenericXmlApplicationContext two =
                        host().environment("joblock.mode", mode).start()) {
            JobLock lock = granted(one);

            Denied denied = denied(two);
            assertThat(denied.reason()).isEqualTo(DenialReason.HELD);
            assertThat(denied.other().orElseThrow().node())
                    .isEqualTo(service(one).nodeId());

            lock.release();
            granted(two).release();
        }
    }

    @Test
    void hostsWithDifferentPrefixesShareNothing() {
        try (GenericXmlApplicationContext staging =
                        host().environment("joblock.prefix", "stg:").start();
                GenericXmlApplicationContext production =
                        host().environment("joblock.prefix", "prd:").start()) {
            JobLock first = granted(staging);
            JobLock second = granted(production);

            assertThat(redis.server().text("EXISTS", "stg:invoice", "prd:invoice"))
                    .isEqualTo("2");
            first.release();
            second.release();
        }
    }

    @Test
    void thePropertyFileOfHandWrittenSolutionsLeadsToItsServerDatabaseAndPassword() {
        String file = "redis.hostName=" + redis.host() + "\nredis.port=" + redis.port()
                + "\nredis.dbIndex=3\nredis.timeout=500\nredis.maxIdle=2\nredis.maxActive=4\nredis.password=s3cret";
        redis.server().call("CONFIG", "SET", "requirepass", "s3cret");
        try (GenericXmlApplicationContext withPassword = Host.of(
                        Host.configurer(PropertyPlaceholderConfigurer.class, true, file) + Host.IMPORT)
                .environment("joblock.ask-budget", "10s")
                .start()) {
            granted(withPassword).release();
            try (GenericXmlApplicationContext without = host().start()) {
                assertThat(denied(without).reason()).isEqualTo(DenialReason.STORE_DOWN);
                redis.server().restart(); // without password, so that the end of this host is not held up
            }
        }
    }

    @Test
    void aUserOfItsOwnReachesItsDatabase() {
        redis.server().call("ACL", "SETUSER", "jobs", "on", ">s3cret", "~jobs:*", "+@all");
        try (GenericXmlApplicationContext context = host().environment("joblock.redis.username", "jobs")
                .environment("joblock.redis.password", "s3cret")
                .environment("joblock.redis.database", "3")
                .environment("joblock.prefix", "jobs:")
                .start()) {
            granted(context).release();

            assertThat(redis.server().text("INFO", "keyspace"))
                    .contains("db3:keys=")
                    .doesNotContain("db0:");
        }
    }

    @Test
    void aRedisThatIsAwayAtStartIsUsedWhenItIsBack() {
        redis.server().kill();
        try (GenericXmlApplicationContext context = host().start()) {
            assertThat(denied(context).fault()).contains(StoreFault.UNREACHABLE);

            redis.server().start();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> granted(context).release());
        }
    }

    @Test
    void connectionsOfTheHostAreUsedByTheirName() {
        try (GenericXmlApplicationContext context = Host.of(hostFactory() + Host.IMPORT)
                .environment("joblock.ask-budget", "10s")
                .environment("joblock.redis.connection-factory", "hosts")
                .start()) {
            granted(context).release();

            assertThat(context.getBean("joblockConnectionFactory")).isSameAs(context.getBean("hosts"));
            assertThat(redis.server().text("EXISTS", "joblock:invoice")).isEqualTo("1");
        }
    }

    @Test
    void moreJobsThanConnectionsAllGetTheirAnswer() {
        try (GenericXmlApplicationContext context = host().environment("joblock.redis.pool.max-total", "1")
                .environment("joblock.redis.pool.max-idle", "1")
                .environment("joblock.redis.pool.test-on-borrow", "true")
                .start()) {
            JobLockService service = service(context);
            for (int i = 0; i < 200; i++) {
                LockOutcome outcome = service.tryLock(JobRun.exclusive("job" + i));
                assertThat(outcome.isGranted()).as(outcome.toString()).isTrue();
                ((Granted) outcome).lock().release();
            }
        }
    }

    private static String hostFactory() {
        return """
                <bean id="hosts" class="org.springframework.data.redis.connection.jedis.JedisConnectionFactory">
                    <constructor-arg>
                        <bean class="org.springframework.data.redis.connection.RedisStandaloneConfiguration">
                            <constructor-arg value="%s"/>
                            <constructor-arg value="%d"/>
                        </bean>
                    </constructor-arg>
                </bean>
                """.formatted(redis.host(), redis.port());
    }

    private static Host host() {
        return Host.importing()
                // Longer than on a machine of its own: the first ask of a JVM loads many classes.
                .environment("joblock.ask-budget", "10s")
                .environment("joblock.redis.host", redis.host())
                .environment("joblock.redis.port", Integer.toString(redis.port()));
    }

    private static JobLockService service(GenericXmlApplicationContext context) {
        return context.getBean(JobLockService.class);
    }

    private static JobLock granted(GenericXmlApplicationContext context) {
        LockOutcome outcome = service(context).tryLock(RUN);
        assertThat(outcome.isGranted()).as(outcome.toString()).isTrue();
        return ((Granted) outcome).lock();
    }

    private static Denied denied(GenericXmlApplicationContext context) {
        LockOutcome outcome = service(context).tryLock(RUN);
        assertThat(outcome).isInstanceOf(Denied.class);
        return (Denied) outcome;
    }
}
