package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.JobDetail;
import org.quartz.utils.Key;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.BeanDefinitionReaderUtils;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.scheduling.quartz.CronTriggerFactoryBean;
import org.springframework.scheduling.quartz.MethodInvokingJobDetailFactoryBean;

class GeneratedNamesTest {
    /** What a user schedules. */
    public interface Service {
        void work();
    }

    /** What a user has written. */
    public static class ServiceBean implements Service {
        @Override
        public void work() {}

        public static void cleanUp() {}
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.springframework.scheduling.quartz.CronTriggerFactoryBean#76f2b07d",
                "org.springframework.scheduling.quartz.MethodInvokingJobDetailFactoryBean#0",
                "org.springframework.scheduling.quartz.JobDetailFactoryBean#bd8db5a#1",
                "com.acme.Outer$Inner#12",
                "(inner bean)#2f9f7dcd",
                "baseTrigger$child#1b2c6ec2",
                "triggers$created#0",
                "da64ac9b8e6a-d3c1e1ab-3a0c-4b9c-8a34-58c8a0f8f0a1",
                "import-d3c1e1ab-3a0c-4b9c-8a34-58c8a0f8f0a1"
            })
    void nameThatDiffersFromOneJvmToTheNextIsGenerated(String name) {
        assertThat(GeneratedNames.isGenerated(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "invoice",
                "report#1",
                "com.acme.Invoice",
                "nightly.report",
                "a#b.c",
                "com.acme.Invoice#weekly",
                "#",
                "MT_1",
                ""
            })
    void nameThatSomebodyChoseIsNot(String name) {
        assertThat(GeneratedNames.isGenerated(name)).isFalse();
    }

    @Test
    void nameOfManyPartsIsJudgedToo() {
        StringBuilder name = new StringBuilder("a");
        for (int i = 0; i < 20_000; i++) {
            name.append(".a");
        }

        assertThat(GeneratedNames.isGenerated(name.toString())).isFalse();
        assertThat(GeneratedNames.isGenerated(name + "#0")).isTrue();
    }

    @Test
    void whatQuartzAndSpringGenerateIsGenerated() {
        RootBeanDefinition definition = new RootBeanDefinition(CronTriggerFactoryBean.class);
        DefaultListableBeanFactory factory = new DefaultListableBeanFactory();

        assertThat(GeneratedNames.isGenerated(Key.createUniqueName("DEFAULT"))).isTrue();
        assertThat(GeneratedNames.isGenerated(BeanDefinitionReaderUtils.generateBeanName(definition, factory, true)))
                .isTrue();
        assertThat(GeneratedNames.isGenerated(BeanDefinitionReaderUtils.generateBeanName(definition, factory, false)))
                .isTrue();
    }

    @Test
    void jobIsCalledByItsJobClass() {
        JobDetail job = org.quartz.JobBuilder.newJob(ShortJob.class).build();

        assertThat(QuartzJob.of(job).name()).isEqualTo("dev.joblock.quartz.ShortJob");
        assertThat(QuartzJob.of(job).lockName()).isEqualTo("DEFAULT.dev.joblock.quartz.ShortJob");
    }

    @Test
    void methodInvokingJobIsCalledByItsTargetClassAndMethod() throws Exception {
        assertThat(name(new ServiceBean())).isEqualTo(ServiceBean.class.getName() + ".work");
    }

    @Test
    void targetBehindAProxyIsCalledByTheClassThatTheUserWrote() throws Exception {
        ProxyFactory byInterface = new ProxyFactory(new ServiceBean());
        ProxyFactory byClass = new ProxyFactory(new ServiceBean());
        byClass.setProxyTargetClass(true);

        assertThat(name(byInterface.getProxy())).isEqualTo(ServiceBean.class.getName() + ".work");
        assertThat(name(byClass.getProxy())).isEqualTo(ServiceBean.class.getName() + ".work");
    }

    @Test
    void proxyThatHidesItsTargetIsCalledByItsInterface() throws Exception {
        Object proxy = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Service.class}, (self, method, arguments) -> null);

        assertThat(name(proxy)).isEqualTo(Service.class.getName() + ".work");
    }

    @Test
    void staticTargetIsCalledByItsClass() throws Exception {
        MethodInvokingJobDetailFactoryBean factory = new MethodInvokingJobDetailFactoryBean();
        factory.setTargetClass(ServiceBean.class);
        factory.setTargetMethod("cleanUp");

        assertThat(name(factory)).isEqualTo(ServiceBean.class.getName() + ".cleanUp");
    }

    private static String name(Object target) throws Exception {
        MethodInvokingJobDetailFactoryBean factory = new MethodInvokingJobDetailFactoryBean();
        factory.setTargetObject(target);
        factory.setTargetMethod("work");
        return name(factory);
    }

    private static String name(MethodInvokingJobDetailFactoryBean factory) throws Exception {
        factory.setBeanName(MethodInvokingJobDetailFactoryBean.class.getName() + "#1a2b3c");
        factory.setBeanFactory(new DefaultListableBeanFactory());
        factory.afterPropertiesSet();
        JobDetail job = java.util.Objects.requireNonNull(factory.getObject());
        return QuartzJob.of(job).name();
    }
}
