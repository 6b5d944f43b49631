package dev.joblock.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.support.GenericXmlApplicationContext;

/** Who hears of runs, and what the host may put around the service. Guarding is off, so that no Redis is needed. */
class ListenerBeansTest {

    /** A listener that needs the service which it listens to. */
    static class Recorder implements JobLockListener {
        private final JobLockService service;
        private final List<String> heard = new CopyOnWriteArrayList<>();

        Recorder(JobLockService service) {
            this.service = service;
        }

        @Override
        public void onGranted(JobLock lock) {
            heard.add(lock.lockName() + " on " + service.nodeId());
        }
    }

    /** A listener that fails. */
    static class Failing implements JobLockListener {
        @Override
        public void onGranted(JobLock lock) {
            throw new IllegalStateException("on purpose");
        }
    }

    @Test
    void aListenerBeanMayItselfNeedTheServiceAndHearsThoughAnotherFails() {
        try (GenericXmlApplicationContext context = host("""
                <bean class="dev.joblock.config.ListenerBeansTest$Failing"/>
                <bean class="dev.joblock.config.ListenerBeansTest$Recorder">
                    <constructor-arg ref="jobLockService"/>
                </bean>
                """).start()) {
            JobLockService service = context.getBean(JobLockService.class);
            service.run(JobRun.exclusive("invoice"), () -> {});

            Recorder recorder = context.getBean(Recorder.class);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(recorder.heard).containsExactly("invoice on " + service.nodeId()));
        }
    }

    @Test
    void aListenerOfTheParentContextHearsTheChildToo() {
        String listener = """
                <bean class="dev.joblock.config.ListenerBeansTest$Recorder">
                    <constructor-arg ref="jobLockService"/>
                </bean>
                """;
        try (GenericXmlApplicationContext parent = host(listener).start();
                GenericXmlApplicationContext child = host("").childOf(parent).start()) {
            child.getBean(JobLockService.class).run(JobRun.exclusive("invoice"), () -> {});

            assertThat(child.getBean(JobLockService.class)).isNotSameAs(parent.getBean(JobLockService.class));
            Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(parent.getBean(Recorder.class).heard).hasSize(1));
        }
    }

    @Test
    void theDrainFindsTheServiceBehindAProxyOfTheHost() {
        String proxies = "<bean class=\"" + BeanNameAutoProxyCreator.class.getName() + "\" p:beanNames=\"*Service\"/>";
        try (Logs logs = Logs.of(JobLockDrain.class);
                GenericXmlApplicationContext context = host(proxies).start()) {
            assertThat(AopUtils.isAopProxy(context.getBean(JobLockService.class)))
                    .isTrue();
            assertThat(logs.warnings()).isEmpty();
        }
    }

    private static Host host(String beans) {
        return Host.of(beans + Host.IMPORT).environment("joblock.enabled", "false");
    }
}
