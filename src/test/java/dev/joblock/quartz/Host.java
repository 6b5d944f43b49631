package dev.joblock.quartz;

import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobLockService;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.core.io.ByteArrayResource;

/** An XML application with Quartz; the beans {@code service} and {@code policies} are there. */
final class Host {
    /** What the import brings. */
    static final String KIT = """
            <bean id="kitListener" class="dev.joblock.quartz.JobLockQuartzListener" p:jobs="%s">
                <constructor-arg ref="service"/>
                <constructor-arg ref="policies"/>
            </bean>
            <bean id="kitAttacher" class="dev.joblock.quartz.QuartzAttacher" p:strict="%s">
                <constructor-arg ref="kitListener"/>
            </bean>
            """;

    private static final String HEAD = """
            <?xml version="1.0" encoding="UTF-8"?>
            <beans xmlns="http://www.springframework.org/schema/beans"
                   xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                   xmlns:p="http://www.springframework.org/schema/p"
                   xsi:schemaLocation="http://www.springframework.org/schema/beans https://www.springframework.org/schema/beans/spring-beans.xsd">
            """;

    private Host() {}

    static String kit(String jobs) {
        return KIT.formatted(jobs, false);
    }

    static String strictKit(String jobs) {
        return KIT.formatted(jobs, true);
    }

    /** A scheduler bean with these triggers, not started by itself. */
    static String scheduler(String id, String properties, String... triggers) {
        return """
                <bean id="%s" class="org.springframework.scheduling.quartz.SchedulerFactoryBean"
                      p:schedulerName="%s-%s" p:autoStartup="false" %s>
                    <property name="triggers"><list>%s</list></property>
                </bean>
                """.formatted(id, id, java.util.UUID.randomUUID(), properties, String.join("", triggers));
    }

    /** A job bean of {@link ShortJob} and a trigger bean of it, both with ids. */
    static String job(String job, String trigger, String cron) {
        return """
                <bean id="%s" class="org.springframework.scheduling.quartz.JobDetailFactoryBean"
                      p:jobClass="dev.joblock.quartz.ShortJob"/>
                <bean id="%s" class="org.springframework.scheduling.quartz.CronTriggerFactoryBean"
                      p:jobDetail-ref="%s" p:cronExpression="%s"/>
                """.formatted(job, trigger, job, cron);
    }

    static String ref(String bean) {
        return "<ref bean=\"" + bean + "\"/>";
    }

    static GenericXmlApplicationContext start(JobLockService service, JobLockPolicy[] policies, String... beans) {
        return start(null, service, policies, beans);
    }

    static GenericXmlApplicationContext start(
            @Nullable ApplicationContext parent, JobLockService service, JobLockPolicy[] policies, String... beans) {
        GenericXmlApplicationContext context = new GenericXmlApplicationContext();
        try {
            context.setParent(parent);
            context.getBeanFactory().registerSingleton("service", service);
            context.getBeanFactory()
                    .registerSingleton("policies", new JobLockPolicies(new JobLockPolicy(), List.of(policies)));
            String xml = HEAD + String.join("", beans) + "</beans>";
            context.load(new ByteArrayResource(xml.getBytes(StandardCharsets.UTF_8)));
            context.refresh();
            return context;
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }
}
