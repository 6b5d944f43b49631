package dev.joblock.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.config.PropertyPlaceholderConfigurer;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;

/** Where a value is looked for, in which order, and what is told about it. */
@SuppressWarnings({"deprecation", "removal"}) // hosts use the old configurer, so it is tested as long as Spring has it
class JobLockSettingsTest {

    private static final Class<?> OLD = PropertyPlaceholderConfigurer.class;
    private static final Class<?> NEW = PropertySourcesPlaceholderConfigurer.class;

    @TempDir
    private Path folder;

    @Test
    void defaultsHoldWhereNothingIsSet() {
        assertThat(Setting.ENABLED.defaultText()).isEqualTo("true");
        assertThat(Setting.REDIS_PORT.defaultText()).isEqualTo("6379");
        try (GenericXmlApplicationContext context =
                Host.importing().environment("joblock.enabled", "false").start()) {
            JobLockSettings settings = context.getBean(JobLockSettings.class);

            assertThat(settings.isDryRun()).isFalse();
            assertThat(settings.isStrict()).isFalse();
            assertThat(settings.getMode()).isEqualTo("hash-timestamp");
            assertThat(settings.getLease()).isEqualTo("30s");
            assertThat(settings.getMaxHold()).isEqualTo("24h");
            assertThat(settings.getAskBudget()).isEqualTo("1s");
            assertThat(settings.getPrefix()).isEqualTo("joblock:");
            assertThat(settings.getQuartzJobs()).isEmpty();
            JobLockRedisSettings redis = settings.getRedis();
            assertThat(redis.getConnectionFactory()).isEmpty();
            assertThat(redis.getHost()).isEqualTo("localhost");
            assertThat(redis.getDatabase()).isZero();
            assertThat(redis.getUsername()).isEmpty();
            assertThat(redis.getPassword()).isEmpty();
            assertThat(redis.isSsl()).isFalse();
            assertThat(redis.getTimeout()).isEqualTo("1s");
            assertThat(redis.getMaxTotal()).isEqualTo(8);
            assertThat(redis.getMaxIdle()).isEqualTo(8);
            assertThat(redis.getMaxWaitMillis()).isEqualTo(1_000);
            assertThat(redis.isTestOnBorrow()).isFalse();
        }
    }

    static Stream<List<String>> hostsThatKnowThePrefix() {
        String value = "joblock.prefix=prod:joblock:";
        String other = "something=else";
        Stream.Builder<List<String>> hosts = Stream.builder();
        for (Class<?> knowing : List.of(OLD, NEW)) {
            for (boolean strict : new boolean[] {true, false}) {
                hosts.add(List.of(Host.configurer(knowing, strict, value), Host.IMPORT));
                for (Class<?> second : List.of(OLD, NEW)) {
                    for (boolean secondStrict : new boolean[] {true, false}) {
                        String knows = Host.configurer(knowing, strict, value);
                        String knowsNot = Host.configurer(second, secondStrict, other);
                        hosts.add(List.of(Host.IMPORT, knows, knowsNot));
                        hosts.add(List.of(knowsNot, knows, Host.IMPORT));
                    }
                }
            }
        }
        return hosts.build();
    }

    @ParameterizedTest
    @MethodSource("hostsThatKnowThePrefix")
    void whatAnyConfigurerOfTheHostKnowsIsFoundWhereverItStandsAndHoweverStrictItIs(List<String> beans) {
        try (GenericXmlApplicationContext context =
                Host.of(String.join("", beans)).start()) {
            JobLockSettings settings = context.getBean(JobLockSettings.class);

            assertThat(settings.getPrefix()).isEqualTo("prod:joblock:");
            assertThat(settings.getLease()).as("known to none of them").isEqualTo("30s");
        }
    }

    @Test
    void aConfigurerWithAnotherPlaceholderPrefixIsAskedToo() {
        String configurer = Host.configurer(NEW, true, "joblock.lease=45s")
                .replace("</bean>", "<property name=\"placeholderPrefix\" value=\"@{\"/></bean>");

        try (GenericXmlApplicationContext context =
                Host.of(configurer + Host.IMPORT).start()) {
            assertThat(context.getBean(JobLockSettings.class).getLease()).isEqualTo("45s");
        }
    }

    @Test
    void whatTheParentContextKnowsIsFoundInTheChild() {
        try (GenericXmlApplicationContext parent =
                        Host.of(Host.configurer(OLD, true, "joblock.lease=45s")).start();
                GenericXmlApplicationContext child =
                        Host.importing().childOf(parent).start()) {
            assertThat(child.getBean(JobLockSettings.class).getLease()).isEqualTo("45s");
        }
    }

    @Test
    void placeholdersGoBeforeTheEnvironmentAndThatBeforeTheFileAndThatBeforeTheDefault() throws IOException {
        file("joblock.lease=1m\njoblock.max-hold=2h\njoblock.prefix=file:\njoblock.ask-budget=700ms\n");
        try (Logs logs = Logs.of(JobLockSettings.class);
                GenericXmlApplicationContext context = Host.of(
                                Host.configurer(OLD, false, "joblock.lease=3m") + Host.IMPORT)
                        .environment("joblock.lease", "2m")
                        .environment("joblock.max-hold", "3h")
                        .classLoader(loader())
                        .start()) {
            JobLockSettings settings = context.getBean(JobLockSettings.class);

            assertThat(settings.getLease()).isEqualTo("3m");
            assertThat(settings.getMaxHold()).isEqualTo("3h");
            assertThat(settings.getPrefix()).isEqualTo("file:");
            assertThat(logs.infos())
                    .singleElement()
                    .satisfies(table -> assertThat(table)
                            .contains("\n  joblock.lease = 3m (the host's placeholders)")
                            .contains("\n  joblock.max-hold = 3h (test)")
                            .contains("\n  joblock.prefix = file: (joblock.properties)")
                            .contains("\n  joblock.mode = hash-timestamp (default)"));
        }
    }

    @Test
    void propertiesOfTheSettingsBeanGoBeforeAll() {
        String bean = """
                <bean id="joblockSettings" class="dev.joblock.config.JobLockSettings" autowire-candidate="false">
                    <property name="properties"><value>joblock.lease=5s</value></property>
                </bean>
                """;
        for (String xml : List.of(bean + Host.IMPORT, Host.IMPORT + bean)) {
            try (GenericXmlApplicationContext context = Host.of(Host.configurer(NEW, true, "joblock.lease=3m") + xml)
                    .withoutOverriding()
                    .start()) {
                assertThat(context.getBean(JobLockSettings.class).getLease()).isEqualTo("5s");
            }
        }
    }

    @Test
    void aValueInTheFileMayHoldPlaceholdersOfTheHost() throws IOException {
        file("joblock.prefix=${shop.name}:${shop.stage:test}:joblock:\n");
        try (GenericXmlApplicationContext context = Host.of(Host.configurer(OLD, true, "shop.name=books") + Host.IMPORT)
                .classLoader(loader())
                .start()) {
            assertThat(context.getBean(JobLockSettings.class).getPrefix()).isEqualTo("books:test:joblock:");
        }
    }

    @Test
    void thePropertyFileOfHandWrittenSolutionsWorksAsItIs() {
        String file = """
                redis.hostName=10.1.2.3
                redis.port=6380
                redis.dbIndex=2
                redis.timeout=300
                redis.maxIdle=20
                redis.maxActive=50
                redis.password=s3cret
                redis.maxWait=250
                redis.testOnBorrow=true
                """;
        for (Class<?> type : List.of(OLD, NEW)) {
            try (Logs logs = Logs.of(JobLockSettings.class);
                    GenericXmlApplicationContext context = Host.of(Host.configurer(type, true, file) + Host.IMPORT)
                            .named("/shop")
                            .environment("joblock.enabled", "false")
                            .start()) {
                JobLockRedisSettings redis =
                        context.getBean(JobLockSettings.class).getRedis();

                assertThat(redis.getHost()).isEqualTo("10.1.2.3");
                assertThat(redis.getPort()).isEqualTo(6380);
                assertThat(redis.getDatabase()).isEqualTo(2);
                assertThat(redis.getTimeout()).isEqualTo("300ms");
                assertThat(redis.getMaxIdle()).isEqualTo(20);
                assertThat(redis.getMaxTotal()).isEqualTo(50);
                assertThat(redis.getPassword()).isEqualTo("s3cret");
                assertThat(redis.getMaxWaitMillis()).isEqualTo(250);
                assertThat(redis.isTestOnBorrow()).isTrue();
                assertThat(logs.warnings())
                        .containsExactly("'joblock.enabled' is false: no job is guarded, each runs on every node");
                assertThat(logs.infos())
                        .singleElement()
                        .satisfies(table -> assertThat(table)
                                .contains("\n  joblock.redis.host = 10.1.2.3 (redis.hostName, the host's placeholders)")
                                .contains("\n  joblock.redis.password = **** (redis.password, the host's placeholders)")
                                .doesNotContain("s3cret"));
            }
        }
    }

    @Test
    void theKitsOwnNamesGoBeforeThoseOfHandWrittenSolutions() {
        try (GenericXmlApplicationContext context = Host.importing()
                .environment("redis.port", "1")
                .environment("joblock.redis.port", "6399")
                .environment("redis.password", " ")
                .start()) {
            JobLockRedisSettings redis = context.getBean(JobLockSettings.class).getRedis();

            assertThat(redis.getPort()).isEqualTo(6399);
            assertThat(redis.getPassword()).isEmpty();
        }
    }

    @Test
    void noLimitInAHandWrittenFileBecomesTheDefaultWithAWarning() {
        try (Logs logs = Logs.of(JobLockSettings.class);
                GenericXmlApplicationContext context = Host.importing()
                        .named("/shop")
                        .environment("redis.maxWait", "-1")
                        .environment("redis.timeout", "0")
                        .environment("redis.maxActive", "-1")
                        .start()) {
            JobLockRedisSettings redis = context.getBean(JobLockSettings.class).getRedis();

            assertThat(redis.getMaxWaitMillis()).isEqualTo(1_000);
            assertThat(redis.getTimeout()).isEqualTo("1s");
            assertThat(redis.getMaxTotal()).isEqualTo(-1);
            assertThat(logs.warnings())
                    .containsExactly(
                            "'redis.timeout' = '0' means no limit; Joblock waits 1s at the most, set joblock.redis.timeout"
                                    + " for another limit (from test)",
                            "'redis.maxWait' = '-1' means no limit; Joblock waits 1s at the most, set"
                                    + " joblock.redis.pool.max-wait for another limit (from test)");
        }
    }

    @Test
    void noSocketAndNoPoolWaitsLongerThanTheWholeAsk() {
        try (Logs logs = Logs.of(JobLockSettings.class);
                GenericXmlApplicationContext context = Host.importing()
                        .environment("redis.timeout", "100000")
                        .environment("joblock.ask-budget", "800ms")
                        .start()) {
            JobLockRedisSettings redis = context.getBean(JobLockSettings.class).getRedis();

            assertThat(redis.getTimeout()).isEqualTo("800ms");
            assertThat(redis.getMaxWaitMillis()).isEqualTo(800);
            assertThat(logs.infos())
                    .singleElement()
                    .asString()
                    .contains(
                            "\n  joblock.redis.timeout = 800ms (redis.timeout, test: 100s, cut to joblock.ask-budget)");
        }
    }

    @Test
    void theAddressThatContainerPlatformsPutIntoRedisPortIsNoPort() {
        try (GenericXmlApplicationContext context = Host.importing()
                .environment("redis.port", "tcp://10.0.0.1:6379")
                .environment("joblock.redis.port", "tcp://10.0.0.1:6379")
                .environment("joblock.enabled", "false")
                .start()) {
            assertThat(context.getBean(JobLockSettings.class).getRedis().getPort())
                    .isEqualTo(6379);
        }
    }

    @Test
    void theServerIsNotAskedForWhereTheHostGivesItsOwnConnections() {
        String factory = "<bean id=\"hosts\" class=\"" + HostConnectionFactory.class.getName() + "\"/>";
        try (Logs logs = Logs.of(JobLockSettings.class);
                GenericXmlApplicationContext context = Host.of(factory + Host.IMPORT)
                        .named("/shop")
                        .environment("redis.port", "not for us")
                        .environment("joblock.redis.connection-factory", "hosts")
                        .environment("joblock.redis.host", "elsewhere")
                        .start()) {
            assertThat(context.isActive()).isTrue();
            assertThat(logs.warnings())
                    .containsExactly("'joblock.redis.host' has no effect, since 'joblock.redis.connection-factory' ="
                            + " 'hosts' gives the connections (from test)");
            assertThat(logs.infos())
                    .singleElement()
                    .asString()
                    .contains("joblock.redis.connection-factory = hosts (test)")
                    .doesNotContain("joblock.redis.host")
                    .doesNotContain("joblock.redis.port");
        }
    }

    @Test
    void settingsAreToldOnceHoweverOftenTheFileIsImported() {
        try (Logs logs = Logs.of(JobLockSettings.class);
                GenericXmlApplicationContext context = Host.of(Host.IMPORT + Host.IMPORT + Host.IMPORT)
                        .withoutOverriding()
                        .start()) {
            assertThat(context.isActive()).isTrue();
            assertThat(logs.infos()).hasSize(1);
        }
    }

    @Test
    void aMisspeltNameIsToldWithTheNearestOne() throws IOException {
        file("joblock.quarz.jobs=a\n");
        try (Logs logs = Logs.of(JobLockSettings.class);
                GenericXmlApplicationContext context = Host.of(
                                Host.configurer(NEW, false, "joblock.maxHold=1h") + Host.IMPORT)
                        .named("/shop")
                        .environment("joblock.redis.hostname", "x")
                        .environment("JOBLOCK_LEASES", "1m")
                        .environment("joblock.lease", "1m")
                        .environment("JOBLOCK_MAX_HOLD", "1h")
                        .environment("joblock.console.zone", "UTC") // read by the console, not by the kit
                        .classLoader(loader())
                        .start()) {
            assertThat(context.isActive()).isTrue();
            assertThat(logs.warnings())
                    .containsExactlyInAnyOrder(
                            "'joblock.maxHold' is no setting of Joblock and has no effect; did you mean"
                                    + " 'joblock.max-hold'? (from localProperties)",
                            "'joblock.redis.hostname' is no setting of Joblock and has no effect; did you mean"
                                    + " 'joblock.redis.host'? (from test)",
                            "'JOBLOCK_LEASES' is no setting of Joblock and has no effect; did you mean"
                                    + " 'JOBLOCK_LEASE'? (from test)",
                            "'joblock.quarz.jobs' is no setting of Joblock and has no effect; did you mean"
                                    + " 'joblock.quartz.jobs'? (from joblock.properties)");
        }
    }

    @Test
    void theDefaultPrefixIsWarnedOfWhereTheApplicationHasNoName() {
        String warning =
                "'joblock.prefix' is left at 'joblock:' and this application has no name: it shares its locks with"
                        + " every other such application on the same Redis; set the prefix, for example to 'shop:joblock:'";

        assertThat(warningsOf(Host.importing())).contains(warning);
        assertThat(warningsOf(Host.importing().named("/shop"))).doesNotContain(warning);
        assertThat(warningsOf(Host.importing().environment("joblock.prefix", "stg:")))
                .doesNotContain(warning);
        try (GenericXmlApplicationContext parent = Host.of("").named("/shop").start()) {
            assertThat(warningsOf(Host.importing().childOf(parent))).doesNotContain(warning);
        }
    }

    @Test
    void guardingThatIsSwitchedOffIsWarnedOf() {
        assertThat(warningsOf(Host.importing().environment("joblock.enabled", "false")))
                .contains("'joblock.enabled' is false: no job is guarded, each runs on every node");
    }

    private static List<String> warningsOf(Host host) {
        try (Logs logs = Logs.of(JobLockSettings.class);
                GenericXmlApplicationContext context = host.start()) {
            assertThat(context.isActive()).isTrue();
            return logs.warnings();
        }
    }

    private void file(String text) throws IOException {
        Files.writeString(folder.resolve("joblock.properties"), text);
    }

    private ClassLoader loader() throws MalformedURLException {
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader());
    }
}
