package dev.joblock.scheduling;

import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** An application whose XML is written in the test. Its scheduling part is the kit's; its service is a fake one. */
final class TestHost {

    static final String ANNOTATIONS = "<task:annotation-driven scheduler=\"pool\"/>";
    static final String POOL =
            "<bean id=\"pool\" class=\"org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler\" p:poolSize=\"4\"/>";
    static final String KIT = """
            <bean id="joblockTasks" class="dev.joblock.scheduling.TaskGuard"
                  p:tasks="%s" p:enabled="%s" p:dryRun="%s" p:strict="%s">
                <constructor-arg ref="policies"/>
                <constructor-arg value="service"/>
            </bean>
            <bean id="installer" class="dev.joblock.scheduling.TaskInstaller"><constructor-arg value="joblockTasks"/></bean>
            <bean id="catalog" class="dev.joblock.scheduling.TaskCatalog"><constructor-arg ref="installer"/></bean>
            <bean class="dev.joblock.scheduling.LockedMethodProcessor"><constructor-arg value="joblockTasks"/></bean>
            """;

    static final String HEAD = """
            <?xml version="1.0" encoding="UTF-8"?>
            <beans xmlns="http://www.springframework.org/schema/beans"
                   xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                   xmlns:p="http://www.springframework.org/schema/p"
                   xmlns:aop="http://www.springframework.org/schema/aop"
                   xmlns:tx="http://www.springframework.org/schema/tx"
                   xmlns:context="http://www.springframework.org/schema/context"
                   xmlns:task="http://www.springframework.org/schema/task"
                   xsi:schemaLocation="http://www.springframework.org/schema/beans https://www.springframework.org/schema/beans/spring-beans.xsd
                                       http://www.springframework.org/schema/aop https://www.springframework.org/schema/aop/spring-aop.xsd
                                       http://www.springframework.org/schema/tx https://www.springframework.org/schema/tx/spring-tx.xsd
                                       http://www.springframework.org/schema/context https://www.springframework.org/schema/context/spring-context.xsd
                                       http://www.springframework.org/schema/task https://www.springframework.org/schema/task/spring-task.xsd">
            """;

    final FakeService service = new FakeService();
    final List<JobLockPolicy> policies = new ArrayList<>();
    final Map<String, Object> properties = new HashMap<>();
    String tasks = "";
    boolean enabled = true;
    boolean dryRun;
    boolean strict;
    boolean kit = true;

    @Nullable
    ApplicationContext parent;

    static TestHost guarding(String tasks) {
        TestHost host = new TestHost();
        host.tasks = tasks;
        return host;
    }

    TestHost policy(JobLockPolicy policy) {
        policies.add(policy);
        return this;
    }

    GenericXmlApplicationContext start(String... beans) {
        GenericXmlApplicationContext context = new GenericXmlApplicationContext();
        try {
            context.setParent(parent);
            context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
            if (kit) {
                context.getBeanFactory().registerSingleton("service", service);
                context.getBeanFactory()
                        .registerSingleton("policies", new JobLockPolicies(new JobLockPolicy(), policies));
            }
            String xml = HEAD
                    + (kit ? KIT.formatted(tasks, enabled, dryRun, strict) : "")
                    + String.join("", beans)
                    + "</beans>";
            context.load(new ByteArrayResource(xml.getBytes(StandardCharsets.UTF_8)));
            context.refresh();
            return context;
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    /** The sentence with which the start fails. */
    String failure(String... beans) {
        try (GenericXmlApplicationContext context = start(beans)) {
            throw new AssertionError("started: " + context);
        } catch (RuntimeException e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            return String.valueOf(cause.getMessage());
        }
    }

    static String bean(String id, Class<?> type) {
        return "<bean id=\"" + id + "\" class=\"" + type.getName() + "\"/>";
    }

    static JobLockPolicy policyFor(String jobs) {
        JobLockPolicy policy = new JobLockPolicy();
        policy.setJobs(jobs);
        return policy;
    }
}
