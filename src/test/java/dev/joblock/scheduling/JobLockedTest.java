package dev.joblock.scheduling;

import static dev.joblock.scheduling.TestHost.bean;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.scheduling.config.ScheduledTaskHolder;

/** Methods with the annotation, called by other beans; and the starts that fail since a call would go past the lock. */
class JobLockedTest {

    private static final String PLACEHOLDERS = "<context:property-placeholder/>";
    private static final String SERVICE = bean("index", Locked.Service.class);

    private final TestHost host = TestHost.guarding("");

    JobLockedTest() {
        host.properties.put("hold", "1h");
        host.properties.put("app", "shop");
    }

    @Test
    void aCallRunsUnderItsLock() {
        try (GenericXmlApplicationContext context = host.start(PLACEHOLDERS, SERVICE)) {
            Locked.Service service = context.getBean(Locked.Service.class);

            assertThat(service.rebuild()).isEqualTo("rebuilt");

            assertThat(host.service.events).containsExactly("granted rebuild-index", "released rebuild-index");
            JobRun run = host.service.asked.get(0);
            assertThat(run.rule()).isEqualTo(JobRun.Rule.EXCLUSIVE);
            JobLockPolicy policy = run.policy().orElseThrow();
            assertThat(policy.lease()).isEqualTo(Duration.ofMinutes(2));
            assertThat(policy.maxHold()).isEqualTo(Duration.ofHours(1));
        }
    }

    @Test
    void aCallWithoutTheLockDoesNothing() {
        host.service.denies = true;
        try (GenericXmlApplicationContext context = host.start(PLACEHOLDERS, SERVICE)) {
            Locked.Service service = context.getBean(Locked.Service.class);

            assertThat(service.rebuild()).isNull();
            assertThat(service.find()).isEmpty();
            assertThat(service.later()).isCompletedWithValue(null);
            assertThat(service.runs()).isZero();
        }
    }

    @Test
    void theJobsNameMayComeFromArgumentsAndPlaceholders() {
        try (GenericXmlApplicationContext context = host.start(PLACEHOLDERS, SERVICE)) {
            context.getBean(Locked.Service.class).sync("eu", 7);

            assertThat(host.service.asked.get(0).job()).isEqualTo("shop-eu-7");
        }
    }

    @Test
    void withoutANameItIsThatOfTheTask() {
        try (GenericXmlApplicationContext context = host.start(PLACEHOLDERS, SERVICE)) {
            context.getBean(Locked.Service.class).find();

            assertThat(host.service.asked.get(0).job()).isEqualTo("task:index.find");
        }
    }

    @Test
    void aStageKeepsTheLockUntilItIsComplete() {
        try (GenericXmlApplicationContext context = host.start(PLACEHOLDERS, SERVICE)) {
            CompletableFuture<String> work =
                    context.getBean(Locked.Service.class).later();
            assertThat(host.service.events).containsExactly("granted task:index.later");

            work.complete("done");
            assertThat(host.service.events).containsExactly("granted task:index.later", "released task:index.later");
        }
    }

    @Test
    void aBeanWithAnInterfaceMayStillBeInjectedByItsClass() {
        String client = "<bean id=\"client\" class=\"" + Locked.Client.class.getName()
                + "\"><constructor-arg ref=\"index\"/></bean>";
        try (GenericXmlApplicationContext context = host.start(PLACEHOLDERS, SERVICE, client)) {
            assertThat(context.getBean(Locked.Client.class).call()).isEqualTo("rebuilt");
            assertThat(host.service.asked).hasSize(1);
        }
    }

    @Test
    void aFinalClassIsProxiedByItsInterface() {
        try (GenericXmlApplicationContext context = host.start(bean("index", Locked.FinalWithInterface.class))) {
            context.getBean(Locked.Api.class).rebuild();

            assertThat(AopUtils.isJdkDynamicProxy(context.getBean("index"))).isTrue();
            assertThat(host.service.asked).hasSize(1);
        }
    }

    @Test
    void aSuperCallAndACallOfAnotherObjectAreNoCallsThroughThis() {
        try (GenericXmlApplicationContext context = host.start(bean("child", Locked.Child.class))) {
            Locked.Child child = context.getBean(Locked.Child.class);
            child.other(child);

            assertThat(host.service.asked).hasSize(1);
        }
    }

    @Test
    void aScheduledMethodAsksForItsSlotOnceAndTheProxyJoins() {
        try (GenericXmlApplicationContext context =
                host.start(bean("jobs", Locked.ScheduledToo.class), TestHost.POOL, TestHost.ANNOTATIONS)) {
            context.getBeansOfType(ScheduledTaskHolder.class)
                    .values()
                    .iterator()
                    .next()
                    .getScheduledTasks()
                    .forEach(task -> {
                        host.service.denies = false;
                        task.getTask().getRunnable().run();
                    });

            assertThat(host.service.asked)
                    .extracting(JobRun::job, JobRun::rule)
                    .containsExactly(tuple("nightly", JobRun.Rule.SLOT), tuple("nightly", JobRun.Rule.EXCLUSIVE));
            assertThat(context.getBean(Locked.ScheduledToo.class).runs()).isEqualTo(1);
        }
    }

    @Test
    void switchedOffCallsGoThrough() {
        host.enabled = false;
        try (GenericXmlApplicationContext context = host.start(PLACEHOLDERS, SERVICE)) {
            assertThat(context.getBean(Locked.Service.class).rebuild()).isEqualTo("rebuilt");
            assertThat(host.service.asked).isEmpty();
        }
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of(
                        Locked.FinalWithout.class,
                        "'jobs.work' has @JobLocked and no interface of its class dev.joblock.scheduling.Locked$FinalWithout"
                                + " has it, while the bean can only be proxied by interface, since its class is final; add it"
                                + " to an interface, or let the class be proxied (not final, proxy-target-class=\"true\")"),
                Arguments.of(
                        Locked.FinalMethod.class,
                        "'jobs.work' has @JobLocked and is final, so that calls go past the proxy of its class; take final"
                                + " away"),
                Arguments.of(
                        Locked.PrivateMethod.class,
                        "'jobs.work' has @JobLocked and is private, so that no proxy sees its calls; make it public"),
                Arguments.of(
                        Locked.StaticMethod.class,
                        "'jobs.work' has @JobLocked and is static, so that no proxy sees its calls; make it a method of the"
                                + " bean, or call jobLockService.run in it"),
                Arguments.of(
                        Locked.Primitive.class,
                        "'jobs.work' has @JobLocked and returns int, which can't say that it did not run; return void or"
                                + " Integer, which is null then"),
                Arguments.of(
                        Locked.PlainFuture.class,
                        "'jobs.work' has @JobLocked and returns a java.util.concurrent.Future, which does not tell when its"
                                + " work has ended; return a CompletableFuture"),
                Arguments.of(
                        Locked.SelfCall.class,
                        "'jobs.work' is to be guarded and is called through this in 'SelfCall.all', where no proxy sees it, so"
                                + " that it would run unguarded; call it from another bean, or move what is called here to a"
                                + " method without a lock"),
                Arguments.of(Locked.SelfCallWithArguments.class, "'SelfCallWithArguments.all'"),
                Arguments.of(Locked.SelfReference.class, "'SelfReference.all'"),
                Arguments.of(Locked.SelfCallInLambda.class, "'SelfCallInLambda.all'"),
                Arguments.of(
                        Locked.UnknownArgument.class,
                        "The job 'sync-#{#regoin}' of @JobLocked on 'jobs.work' names '#regoin', which is no argument; the"
                                + " arguments are [region], or #p0 for the first of 1"),
                Arguments.of(Locked.UnknownPlaceholder.class, "nowhere"),
                Arguments.of(Locked.BadLease.class, "@JobLocked on 'jobs.work': 'lease' = '30'"),
                Arguments.of(
                        Locked.ShortHold.class,
                        "@JobLocked on 'jobs.work' has maxHold 1h, shorter than its lease 2h; shorten the lease or lengthen"
                                + " maxHold"),
                Arguments.of(Locked.LongLease.class, "@JobLocked on 'jobs.work'"),
                Arguments.of(
                        Locked.TooEarly.class,
                        "'jobs.work' has @JobLocked and runs unguarded: the bean 'jobs' was made before Joblock could put its"
                                + " lock in front of it, as part of a BeanPostProcessor for example; move the method to"
                                + " another bean"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aMethodThatCanNotBeGuardedFailsTheStart(Class<?> type, String sentence) {
        assertThat(host.failure(PLACEHOLDERS, bean("jobs", type))).contains(sentence);
    }
}
