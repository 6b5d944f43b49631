package dev.joblock.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.config.PropertyPlaceholderConfigurer;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;

/** Every wrong value ends the start with one sentence: the name, the value, the rule, the way out, the origin. */
@SuppressWarnings({"deprecation", "removal"}) // hosts use the old configurer, so it is tested as long as Spring has it
class BadInputTest {

    private static final String WRITE = "; write for example 500ms, 30s, 5m, 24h or PT5M (from test)";
    private static final String TRUE_OR_FALSE = " is neither true nor false; write one of them (from test)";

    static Stream<Arguments> wrongValues() {
        return Stream.of(
                wrong("joblock.lease", "30", " has no unit" + WRITE),
                wrong("joblock.lease", "", " is not a duration" + WRITE),
                wrong("joblock.lease", "280s x", " is not a duration" + WRITE),
                wrong("joblock.max-hold", "PT0.0004S", " must be whole milliseconds" + WRITE),
                wrong("joblock.ask-budget", "1000", " has no unit" + WRITE),
                wrong("joblock.redis.timeout", "2000", " has no unit" + WRITE),
                wrong("redis.timeout", "2 seconds", " is not a duration" + WRITE),
                wrong("joblock.redis.pool.max-wait", "-1", " has no unit" + WRITE),
                wrong("joblock.enabled", "yes", TRUE_OR_FALSE),
                wrong("joblock.dry-run", "1", TRUE_OR_FALSE),
                wrong("joblock.strict", "", TRUE_OR_FALSE),
                wrong("joblock.redis.ssl", "on", TRUE_OR_FALSE),
                wrong("redis.testOnBorrow", "tru", TRUE_OR_FALSE),
                wrong(
                        "joblock.mode",
                        "redlock",
                        " is no lock mode; write hash-timestamp, status-time or token (from test)"),
                wrong(
                        "joblock.prefix",
                        " ",
                        " is blank; leave it out for the default 'joblock:' or give a value (from test)"),
                wrong("joblock.prefix", "a\u0007b", " holds a control character; leave it away (from test)"),
                wrong("joblock.node-id", "n\n1", " holds a control character; leave it away (from test)"),
                wrong(
                        "joblock.node-id",
                        "n".repeat(201),
                        " is longer than 200 characters; give a shorter one (from test)"),
                wrong(
                        "joblock.redis.host",
                        "",
                        " is blank; leave it out for the default 'localhost' or give a value (from test)"),
                wrong(
                        "joblock.redis.port",
                        "0",
                        " is not a port between 1 and 65535; write one or leave it out (from test)"),
                wrong(
                        "redis.port",
                        "65536",
                        " is not a port between 1 and 65535; write one or leave it out (from test)"),
                wrong(
                        "redis.dbIndex",
                        "-1",
                        " is not the number of a database, 0 or more; write one or leave it out (from test)"),
                wrong(
                        "redis.maxActive",
                        "0",
                        " is not a number, 1 or more, or -1 for no limit; write one or leave it out (from test)"),
                wrong(
                        "joblock.redis.pool.max-idle",
                        "many",
                        " is not a number, 0 or more, or -1 for no limit; write one or leave it out (from test)"),
                wrong("joblock.retry", "5", " has no unit; write for example 500ms, 30s, 5m, 24h or PT5M (from test)"),
                wrong("joblock.when-store-down", "wait", " is neither skip nor run; write one of them (from test)"),
                wrong("joblock.rerun", "yes", " is neither true nor false; write one of them (from test)"),
                wrong(
                        "joblock.lease",
                        "${lease}",
                        " holds a placeholder that nothing resolves; set what is missing (from test)"));
    }

    @ParameterizedTest
    @MethodSource("wrongValues")
    void aWrongValueEndsTheStartWithASentence(String name, String value, String rest) {
        assertThat(Host.importing().environment(name, value).failure())
                .isEqualTo("'" + name + "' = '" + value + "'" + rest);
    }

    @Test
    void theSentenceStandsInWhatSpringThrowsToo() {
        assertThatThrownBy(() ->
                        Host.importing().environment("joblock.lease", "30").start())
                .isInstanceOf(BeanCreationException.class)
                .hasMessageContaining("joblockSettings")
                .hasMessageContaining("spring/joblock-redis.xml")
                .hasMessageContaining("'joblock.lease' = '30' has no unit");
    }

    @Test
    void wrongJobPatternsAreRefused() {
        assertThat(Host.importing().environment("joblock.quartz.jobs", "a,,b").failure())
                .startsWith(
                        "'joblock.quartz.jobs': Job patterns 'a,,b' contain an empty pattern; write names with single")
                .endsWith(" (from test)");
        assertThat(Host.importing()
                        .environment("joblock.batch.exclusive", "instance")
                        .failure())
                .isEqualTo(
                        "'joblock.batch.exclusive' = 'instance' is neither parameters nor job; write one of them (from"
                                + " test)");
        assertThat(Host.importing().environment("joblock.quartz.jobs", "!a").failure())
                .isEqualTo(
                        "'joblock.quartz.jobs': Job patterns '!a' only exclude; say which jobs they are taken from, such"
                                + " as '*,!a' (from test)");
    }

    @Test
    void aMaxHoldBelowTheLeaseIsRefused() {
        assertThat(Host.importing()
                        .environment("joblock.lease", "5m")
                        .environment("joblock.max-hold", "1m")
                        .failure())
                .isEqualTo(
                        "'joblock.max-hold' = '1m' is shorter than 'joblock.lease' = '5m'; shorten the lease or lengthen"
                                + " max-hold (from test)");
    }

    @Test
    void aUserWithoutPasswordIsRefused() {
        assertThat(Host.importing()
                        .environment("joblock.redis.username", "jobs")
                        .failure())
                .isEqualTo("'joblock.redis.username' = 'jobs' has no password, and Redis asks for both; set"
                        + " 'joblock.redis.password' too (from test)");
    }

    @Test
    void aValueWhosePlaceholderNobodyKnowsIsRefusedByEveryKindOfConfigurer() {
        for (Class<?> type :
                new Class<?>[] {PropertyPlaceholderConfigurer.class, PropertySourcesPlaceholderConfigurer.class}) {
            for (boolean strict : new boolean[] {true, false}) {
                String configurer = Host.configurer(type, strict, "joblock.prefix=${shop.nme}:");

                assertThat(Host.of(configurer + Host.IMPORT).failure())
                        .startsWith("'joblock.prefix' ")
                        .contains("${shop.nme}")
                        .contains("set what is missing (from the host's placeholders)");
            }
        }
    }

    @Test
    void aConnectionFactoryThatIsNotThereIsRefusedWithTheNamesThatAre() {
        Host host = Host.of(
                        "<bean id=\"hosts\" class=\"" + HostConnectionFactory.class.getName() + "\"/>" + Host.IMPORT)
                .environment("joblock.redis.connection-factory", "host");

        assertThat(host.failure())
                .isEqualTo(
                        "'joblock.redis.connection-factory' = 'host' names no bean; RedisConnectionFactory beans here:"
                                + " hosts");
        assertThat(Host.importing()
                        .environment("joblock.redis.connection-factory", "host")
                        .failure())
                .isEqualTo(
                        "'joblock.redis.connection-factory' = 'host' names no bean; there is no RedisConnectionFactory"
                                + " bean here, leave it out or declare one");
    }

    @Test
    void aConnectionFactoryThatIsNoneIsRefused() {
        assertThat(Host.of("<bean id=\"hosts\" class=\"java.lang.String\"/>" + Host.IMPORT)
                        .environment("joblock.redis.connection-factory", "hosts")
                        .failure())
                .isEqualTo("'joblock.redis.connection-factory' = 'hosts' is a java.lang.String, not a"
                        + " RedisConnectionFactory; there is no RedisConnectionFactory bean here, leave it out or declare"
                        + " one");
        assertThat(Host.importing()
                        .environment("joblock.redis.connection-factory", "joblockConnectionFactory")
                        .failure())
                .isEqualTo("'joblock.redis.connection-factory' = 'joblockConnectionFactory' is this bean itself; name a"
                        + " connection factory of yours");
    }

    @Test
    void aModeThatNeedsWatchIsRefusedOnACluster() {
        String cluster = "<bean id=\"hosts\" class=\"" + ClusterConnectionFactory.class.getName() + "\"/>";
        String sentence =
                "The mode 'status-time' can't be used on a Redis Cluster, whose connections refuse WATCH; take"
                        + " 'joblock.mode' = 'hash-timestamp', also in the JobLockPolicy beans";
        String policy = "<bean class=\"dev.joblock.JobLockPolicy\" p:jobs=\"a\" p:mode=\"status-time\"/>";

        assertThat(Host.of(cluster + Host.IMPORT)
                        .environment("joblock.redis.connection-factory", "hosts")
                        .environment("joblock.mode", "status-time")
                        .failure())
                .isEqualTo(sentence);
        assertThat(Host.of(cluster + policy + Host.IMPORT)
                        .environment("joblock.redis.connection-factory", "hosts")
                        .failure())
                .isEqualTo(sentence);
        Host.of(cluster + Host.IMPORT)
                .environment("joblock.redis.connection-factory", "hosts")
                .start()
                .close();
    }

    @Test
    void aHandWrittenLockIsRefusedOnACluster() {
        String cluster = "<bean id=\"hosts\" class=\"" + ClusterConnectionFactory.class.getName() + "\"/>";

        assertThat(Host.of(cluster + legacy("p:legacy=\"O2\" p:legacyKey=\"JOB_{job}\"") + Host.IMPORT)
                        .environment("joblock.redis.connection-factory", "hosts")
                        .failure())
                .isEqualTo(
                        "The policy for 'a*': hash-timestamp, lease 30s has legacy O2 at 'JOB_{job}', which can't be"
                                + " used on a Redis Cluster: the key of the hand-written lock and ours lie in different hash slots"
                                + " and can't be changed in one step; leave 'legacy' out and change over with the jobs stopped");
    }

    @Test
    void aHandWrittenLockAtTheKeysOfOursIsRefused() {
        assertThat(Host.of(legacy("p:legacy=\"O2\" p:legacyKey=\"JOB_{job}\"") + Host.IMPORT)
                        .environment("joblock.prefix", "JOB_")
                        .failure())
                .isEqualTo(
                        "The legacy O2 at 'JOB_{job}' has the keys of our own locks, whose prefix is 'JOB_'; set another"
                                + " 'joblock.prefix'");
    }

    @Test
    void aHandWrittenLockThatIsHalfDescribedIsRefusedByTheNameOfItsPolicy() {
        assertThat(Host.of(legacy("p:legacy=\"O2\"") + Host.IMPORT).failure())
                .isEqualTo("The JobLockPolicy bean 'nightly' is wrong: The policy for 'a*' has legacy 'O2' and no"
                        + " 'legacyKey'; set it to the key of the hand-written lock, with {job} for the job's name, such as"
                        + " 'JOB_{job}'");
    }

    @Test
    void aHandWrittenLockInTheModeOfTheDefaultsIsRefusedIfThatIsToken() {
        assertThat(Host.of(legacy("p:legacy=\"O2\" p:legacyKey=\"JOB_{job}\"") + Host.IMPORT)
                        .environment("joblock.mode", "token")
                        .failure())
                .isEqualTo(
                        "The JobLockPolicy bean 'nightly' is wrong: The policy for 'a*' has legacy 'O2' in mode 'token',"
                                + " which keeps no hash beside another; take the mode 'hash-timestamp' or 'status-time'");
    }

    @Test
    void aHandWrittenLockIsNoMatterWhereGuardingIsOff() {
        Host.of(legacy("p:legacy=\"O4\" p:legacyKey=\"JOB_{job}\" p:legacyInterval=\"5m\"") + Host.IMPORT)
                .environment("joblock.enabled", "false")
                .start()
                .close();
    }

    private static String legacy(String attributes) {
        return "<bean id=\"nightly\" class=\"dev.joblock.JobLockPolicy\" p:jobs=\"a*\" " + attributes + "/>";
    }

    @Test
    void aPolicyWithoutJobsIsRefusedByItsName() {
        assertThat(Host.of("<bean id=\"nightly\" class=\"dev.joblock.JobLockPolicy\" p:lease=\"1m\"/>" + Host.IMPORT)
                        .failure())
                .isEqualTo(
                        "The JobLockPolicy bean 'nightly' is wrong: A JobLockPolicy bean has no job patterns; set its"
                                + " property 'jobs', for example to 'reconcile*'");
    }

    @Test
    void twoPoliciesWithOnePatternAreRefusedByTheirNames() {
        assertThat(Host.of("""
                        <bean id="one" class="dev.joblock.JobLockPolicy" p:jobs="a,b*"/>
                        <bean id="two" class="dev.joblock.JobLockPolicy" p:jobs="b*"/>
                        """ + Host.IMPORT).failure())
                .isEqualTo(
                        "The JobLockPolicy beans 'one' and 'two' both have the job pattern 'b*', so that neither goes"
                                + " before the other; keep it in one of them");
    }

    @Test
    void aPolicyWhoseMaxHoldIsBelowTheLeaseOfTheDefaultsIsRefusedByItsName() {
        assertThat(Host.of("<bean id=\"nightly\" class=\"dev.joblock.JobLockPolicy\" p:jobs=\"a\" p:maxHold=\"10s\"/>"
                                + Host.IMPORT)
                        .failure())
                .isEqualTo(
                        "The JobLockPolicy bean 'nightly' is wrong: The policy for 'a' has maxHold 10s, shorter than its"
                                + " lease 30s; shorten the lease or lengthen maxHold");
    }

    @Test
    void aWrongValueInAPolicyIsRefusedWithTheNameOfBeanAndProperty() {
        assertThatThrownBy(() -> Host.of(
                                "<bean id=\"nightly\" class=\"dev.joblock.JobLockPolicy\" p:jobs=\"a\" p:lease=\"0s\"/>"
                                        + Host.IMPORT)
                        .start())
                .hasMessageContaining("nightly")
                .hasStackTraceContaining(
                        "'lease' = 'PT0S' must be longer than zero; write for example 500ms, 30s, 5m, 24h or PT5M");
    }

    private static Arguments wrong(String name, String value, String rest) {
        return Arguments.of(name, value, rest);
    }

    /** Says of itself what Spring Data's factories say of a cluster. */
    static class ClusterConnectionFactory extends HostConnectionFactory {

        public boolean isRedisClusterAware() {
            return true;
        }
    }
}
