package dev.joblock.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockService;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.JobListener;
import org.quartz.TriggerListener;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.xml.PluggableSchemaResolver;
import org.springframework.context.Lifecycle;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** What the import adds to a host, and what it leaves alone. */
class JobLockImportTest {

    private static final Set<String> IDS = Set.of(
            "joblockSettings",
            "joblockPoolConfig",
            "joblockConnectionFactory",
            "joblockRedisTemplate",
            "joblockHashTimestampStore",
            "joblockStatusTimeStore",
            "joblockReplicas",
            "joblockTokenStore",
            "joblockNodePresence",
            "joblockHistoryStore",
            "joblockHistory",
            "joblockLockViews",
            "joblockStates",
            "joblockOperations",
            "joblockEvents",
            "joblockAlarms",
            "joblockMetrics",
            "joblockObservations",
            "joblockMBean",
            "joblockPolicies",
            "jobLockService",
            "joblockDrain",
            "joblockTasks",
            "joblockTaskInstaller",
            "joblockTaskCatalog",
            "joblockLockedMethods",
            "joblockQuartzListener",
            "joblockQuartzAttacher",
            "joblockBatchGuard",
            "joblockBatchRuns",
            "joblockBatchRecovery",
            "joblockBatchLaunchers");

    /** What joblock-history.xml, joblock-metrics.xml, joblock-observation.xml and joblock-jmx.xml bring. */
    private static final Set<String> HISTORY = Set.of(
            "joblockHistoryStore",
            "joblockHistory",
            "joblockLockViews",
            "joblockStates",
            "joblockOperations",
            "joblockEvents",
            "joblockAlarms",
            "joblockMetrics",
            "joblockObservations",
            "joblockMBean");

    private static final String HOST_BEANS = """
            <context:annotation-config/>
            <bean id="jedisConnectionFactory" class="dev.joblock.config.HostConnectionFactory"/>
            <bean id="redisTemplate" class="org.springframework.data.redis.core.RedisTemplate">
                <property name="connectionFactory" ref="jedisConnectionFactory"/>
            </bean>
            <bean id="jobLockService" class="java.lang.StringBuilder"/>
            <bean id="scheduler" class="org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler"/>
            <bean id="taskExecutor" class="org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor"/>
            <bean id="injected" class="dev.joblock.config.JobLockImportTest$Injected"/>
            """;

    /** What a host injects by type. */
    static class Injected {
        @Autowired
        RedisTemplate<?, ?> template;

        @Autowired
        RedisConnectionFactory connections;

        @Autowired
        TaskScheduler scheduler;

        @Autowired
        ThreadPoolTaskExecutor executor;

        @Autowired
        JobLockService service;

        @Autowired(required = false)
        TriggerListener triggerListener;

        @Autowired(required = false)
        JobListener jobListener;

        @Autowired(required = false)
        JobLockPolicies policies;

        @Autowired(required = false)
        JobLockSettings settings;

        @Autowired(required = false)
        List<Lifecycle> lifecycles = List.of();
    }

    @Test
    void theImportAloneStartsAndAddsTheDocumentedBeans() {
        try (GenericXmlApplicationContext context = Host.importing().start()) {
            assertThat(idsOfOurs(context)).isEqualTo(IDS);
            assertThat(context.getBean(JobLockService.class).nodeId()).isNotBlank();
        }
    }

    @Test
    void onlyTheServiceIsInjectedByType() {
        try (GenericXmlApplicationContext context = Host.importing().start()) {
            for (String id : context.getBeanDefinitionNames()) {
                if (IDS.contains(id) || id.contains("joblock")) {
                    assertThat(context.getBeanDefinition(id).isAutowireCandidate())
                            .as(id)
                            .isEqualTo(id.equals("jobLockService"));
                }
            }
        }
    }

    @Test
    void aStoreIsMadeOnlyIfItsModeIsUsed() {
        try (GenericXmlApplicationContext context = Host.importing().start()) {
            assertThat(context.getBeanFactory().containsSingleton("joblockHashTimestampStore"))
                    .isTrue();
            assertThat(context.getBeanFactory().containsSingleton("joblockStatusTimeStore"))
                    .isFalse();
        }
        try (GenericXmlApplicationContext context =
                Host.importing().environment("joblock.mode", "status-time").start()) {
            assertThat(context.getBeanFactory().containsSingleton("joblockHashTimestampStore"))
                    .isFalse();
            assertThat(context.getBeanFactory().containsSingleton("joblockStatusTimeStore"))
                    .isTrue();
        }
    }

    @Test
    void nothingOfRedisIsMadeWhereGuardingIsOff() {
        // A name that would be refused as soon as connections are made.
        try (GenericXmlApplicationContext context = Host.importing()
                .environment("joblock.enabled", "false")
                .environment("joblock.redis.connection-factory", "missing")
                .start()) {
            JobLockService service = context.getBean(JobLockService.class);

            assertThat(service.addJobLock("anything")).isTrue();
            service.releaseJobLock("anything");
        }
    }

    @Test
    void twoModulesMayImportItWhereOverridingIsOff() {
        try (GenericXmlApplicationContext context =
                Host.of("""
                        <import resource="classpath:hosts/module-a.xml"/>
                        <import resource="classpath:hosts/module-b.xml"/>
                        """ + Host.IMPORT).withoutOverriding().start()) {
            assertThat(idsOfOurs(context)).isEqualTo(IDS);
            assertThat(context.getBeansOfType(TriggerListener.class)).hasSize(1);
            assertThat(context.getBeansOfType(JobLockService.class)).hasSize(1);
        }
    }

    @Test
    void twoContextsOfOneJvmHaveTheirOwnServicesAndNodeIds() {
        Set<String> nodeIds = new TreeSet<>();
        try (GenericXmlApplicationContext parent =
                Host.importing().withoutOverriding().start()) {
            try (GenericXmlApplicationContext child =
                            Host.importing().withoutOverriding().childOf(parent).start();
                    GenericXmlApplicationContext other = Host.importing().start()) {
                for (GenericXmlApplicationContext context : List.of(parent, child, other)) {
                    nodeIds.add(context.getBean(JobLockService.class).nodeId());
                }
            }

            assertThat(nodeIds).hasSize(3);
            assertThat(parent.isActive()).isTrue();
            assertThat(parent.getBean(JobLockService.class).nodeId()).isIn(nodeIds);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void beansOfTheHostStayWhatTheyAreWhereverTheImportStands(boolean importFirst) {
        String xml = importFirst ? Host.IMPORT + HOST_BEANS : HOST_BEANS + Host.IMPORT;
        try (GenericXmlApplicationContext context = Host.of(xml).start()) {
            Injected injected = context.getBean(Injected.class);

            assertThat(injected.connections).isSameAs(context.getBean("jedisConnectionFactory"));
            assertThat(injected.template).isSameAs(context.getBean("redisTemplate"));
            assertThat(injected.scheduler).isSameAs(context.getBean("scheduler"));
            assertThat(injected.executor).isSameAs(context.getBean("taskExecutor"));
            assertThat(context.getBean("jobLockService")).isInstanceOf(StringBuilder.class);
            assertThat(injected.service).isSameAs(context.getBean("joblockService"));
            assertThat(context.getBean("joblockDrain")).isInstanceOf(JobLockDrain.class);
            assertThat(injected.triggerListener).isNull();
            assertThat(injected.jobListener).isNull();
            assertThat(injected.policies).isNull();
            assertThat(injected.settings).isNull();
            assertThat(injected.lifecycles).doesNotHaveAnyElementsOfTypes(JobLockDrain.class);
            assertThat(context.getBean(RedisConnectionFactory.class)).isSameAs(injected.connections);
            assertThat(context.getBean("redisTemplate", RedisTemplate.class).getConnectionFactory())
                    .isSameAs(injected.connections);
        }
    }

    @Test
    void noSchedulerAndNoExecutorIsAddedThatSpringWouldAdopt() {
        try (GenericXmlApplicationContext context = Host.importing().start()) {
            assertThat(context.getBeansOfType(TaskScheduler.class)).isEmpty();
            assertThat(context.getBeansOfType(Executor.class)).isEmpty();
        }
        try (GenericXmlApplicationContext context =
                Host.of(HOST_BEANS + Host.IMPORT).start()) {
            assertThat(context.getBeansOfType(TaskScheduler.class).values())
                    .singleElement()
                    .isInstanceOf(ThreadPoolTaskScheduler.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBeanOfTheHostUnderOneOfOurIdsIsTakenInPlaceOfOurs(boolean importFirst) {
        String drain = """
                <bean id="joblockDrain" class="dev.joblock.config.JobLockDrain" autowire-candidate="false" p:timeout="5s">
                    <constructor-arg ref="jobLockService"/>
                </bean>
                """;
        try (Logs logs = Logs.of(JobLockImport.class);
                GenericXmlApplicationContext context = Host.of(importFirst ? Host.IMPORT + drain : drain + Host.IMPORT)
                        .withoutOverriding()
                        .start()) {
            assertThat(context.getBeanDefinition("joblockDrain").getResourceDescription())
                    .doesNotContain("joblock-redis.xml");
            assertThat(idsOfOurs(context)).isEqualTo(IDS);
            assertThat(logs.infos())
                    .containsExactly(
                            "The bean 'joblockDrain' of this application is used in place of the one that comes with"
                                    + " Joblock");
        }
    }

    @Test
    void thePartFilesMayBeImportedOneByOne() {
        try (GenericXmlApplicationContext context =
                Host.of("""
                        <import resource="classpath:spring/joblock-redis.xml"/>
                        """).withoutOverriding().start()) {
            Set<String> redisAlone = new TreeSet<>(IDS);
            redisAlone.removeIf(id -> id.matches(".*(Quartz|Batch|Task|LockedMethods).*") || HISTORY.contains(id));
            assertThat(idsOfOurs(context)).isEqualTo(redisAlone);
        }
        try (GenericXmlApplicationContext context =
                Host.of("""
                        <import resource="classpath:spring/joblock-quartz.xml"/>
                        <import resource="classpath:spring/joblock-redis.xml"/>
                        """ + Host.IMPORT).withoutOverriding().start()) {
            assertThat(idsOfOurs(context)).isEqualTo(IDS);
        }
    }

    @Test
    void redisAloneItStartsWithoutTheListener() throws ReflectiveOperationException {
        Object ids = HidingClassLoader.call(BareHost.class, "ids", "org.quartz.");

        assertThat((String[]) ids).contains("jobLockService").doesNotContain("joblockQuartzListener");
    }

    @Test
    void withoutBatchItStartsWithoutTheGuard() throws ReflectiveOperationException {
        Object ids = HidingClassLoader.call(BareHost.class, "ids", "org.springframework.batch.");

        assertThat((String[]) ids).contains("jobLockService").doesNotContain("joblockBatchGuard");
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.micrometer.observation.", "io.micrometer.core.", "io.micrometer."})
    void withoutMicrometerItStartsWithoutThePartThatNeedsIt(String hidden) throws ReflectiveOperationException {
        Object ids = HidingClassLoader.call(BareHost.class, "ids", hidden);

        assertThat((String[]) ids).contains("jobLockService");
        assertThat(List.of((String[]) ids).contains("joblockObservations")).isEqualTo(hidden.contains("core"));
        assertThat(List.of((String[]) ids).contains("joblockMetrics")).isEqualTo(hidden.contains("observation"));
    }

    @Test
    void withoutJedisTheHostGivesItsConnections() throws ReflectiveOperationException {
        Object ids = HidingClassLoader.call(BareHost.class, "ids", "redis.clients.", "org.apache.commons.pool2.");

        assertThat((String[]) ids).contains("jobLockService").doesNotContain("joblockPoolConfig");
    }

    @Test
    void withoutJedisAndWithoutConnectionsOfTheHostTheStartFailsWithTheFix() throws ReflectiveOperationException {
        Object failure =
                HidingClassLoader.call(BareHost.class, "failure", "redis.clients.", "org.apache.commons.pool2.");

        assertThat(failure)
                .isEqualTo(
                        "Jedis is not on the class path and 'joblock.redis.connection-factory' names no connection factory"
                                + " of yours; add redis.clients:jedis or set that property");
    }

    @Test
    void withoutSpringDataTheStartFailsWithTheFix() throws ReflectiveOperationException {
        Object failure = HidingClassLoader.call(BareHost.class, "failure", "org.springframework.data.redis.");

        assertThat(failure)
                .isEqualTo("Joblock needs Spring Data Redis, which is not on the class path; add"
                        + " org.springframework.data:spring-data-redis");
    }

    @ParameterizedTest
    @ValueSource(strings = {"joblock.xml", "joblock-redis.xml", "joblock-quartz.xml", "joblock-batch.xml"})
    void theXmlHoldsNoPlaceholderAndNoVersionedSchema(String file) throws IOException {
        try (InputStream in = getClass().getResourceAsStream("/spring/" + file)) {
            assertThat(in).isNotNull();
            String xml = new String(in.readAllBytes(), StandardCharsets.UTF_8);

            assertThat(xml)
                    .doesNotContain("${")
                    .contains(" https://www.springframework.org/schema/beans/spring-beans.xsd\"");
            assertThat(new PluggableSchemaResolver(getClass().getClassLoader())
                            .resolveEntity(null, "https://www.springframework.org/schema/beans/spring-beans.xsd"))
                    .as("in a jar, so that no network is asked")
                    .isNotNull();
        }
    }

    private static Set<String> idsOfOurs(GenericXmlApplicationContext context) {
        Set<String> ids = new TreeSet<>();
        Stream<String> all = Arrays.stream(context.getBeanDefinitionNames());
        all.filter(id -> {
                    String type = String.valueOf(context.getBeanDefinition(id).getBeanClassName());
                    String source = String.valueOf(context.getBeanDefinition(id).getResourceDescription());
                    return type.startsWith("dev.joblock.") || source.contains("spring/joblock");
                })
                .filter(id -> !id.contains("#"))
                .forEach(ids::add);
        return ids;
    }
}
