package dev.joblock.batch;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** An XML application with {@code <batch:job>} elements; the bean {@code work} is its step's work. */
final class Host {
    static final String IMPORT = "<import resource=\"classpath:spring/joblock.xml\"/>";

    private static final String HEAD = """
            <?xml version="1.0" encoding="UTF-8"?>
            <beans xmlns="http://www.springframework.org/schema/beans"
                   xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                   xmlns:p="http://www.springframework.org/schema/p"
                   xmlns:aop="http://www.springframework.org/schema/aop"
                   xmlns:batch="http://www.springframework.org/schema/batch"
                   xsi:schemaLocation="http://www.springframework.org/schema/beans https://www.springframework.org/schema/beans/spring-beans.xsd
                                       http://www.springframework.org/schema/aop https://www.springframework.org/schema/aop/spring-aop.xsd
                                       http://www.springframework.org/schema/batch https://www.springframework.org/schema/batch/spring-batch.xsd">
                <bean id="transactionManager" class="org.springframework.jdbc.datasource.DataSourceTransactionManager"
                      p:dataSource-ref="dataSource"/>
                <bean id="jobRepository" class="org.springframework.batch.core.repository.support.JobRepositoryFactoryBean"
                      p:dataSource-ref="dataSource" p:transactionManager-ref="transactionManager"/>
            """;

    private static final String REGISTRY = """
            <bean id="jobRegistry" class="org.springframework.batch.core.configuration.support.MapJobRegistry"/>
            """;

    private static final String OPERATOR_BEFORE_6 = REGISTRY + """
            <bean class="org.springframework.batch.core.configuration.support.JobRegistryBeanPostProcessor"
                  p:jobRegistry-ref="jobRegistry"/>
            <bean id="jobExplorer" class="org.springframework.batch.core.explore.support.JobExplorerFactoryBean"
                  p:dataSource-ref="dataSource" %s/>
            <bean id="jobOperator" class="org.springframework.batch.core.launch.support.SimpleJobOperator"
                  p:jobRegistry-ref="jobRegistry" p:jobExplorer-ref="jobExplorer" p:jobRepository-ref="jobRepository"
                  p:jobLauncher-ref="jobLauncher"/>
            """;

    private static final String OPERATOR_6 = """
            <bean id="jobOperator" class="org.springframework.batch.core.launch.support.JobOperatorFactoryBean"
                  p:jobRepository-ref="jobRepository" p:transactionManager-ref="transactionManager"/>
            """;

    private final StringBuilder beans = new StringBuilder();
    private final Map<String, Object> properties = new LinkedHashMap<>();
    private final Map<String, Object> singletons = new LinkedHashMap<>();

    private @Nullable ApplicationContext parent;

    private Host() {}

    static Host on(Database database) {
        return new Host().singleton("dataSource", database.dataSource);
    }

    Host beans(String xml) {
        beans.append(xml);
        return this;
    }

    /** A job whose step does the work of a bean. */
    Host job(String name, String attributes, String work) {
        return beans("""
                <batch:job id="%s" %s>
                    <batch:step id="%s.step"><batch:tasklet ref="%s" method="run"/></batch:step>
                </batch:job>
                """.formatted(name, attributes, name, work));
    }

    Host job(String name) {
        return job(name, "", "work");
    }

    Host launcher(String properties) {
        String type = Batch.SIX || exists("TaskExecutorJobLauncher") ? "TaskExecutorJobLauncher" : "SimpleJobLauncher";
        return beans("""
                <bean id="jobLauncher" class="org.springframework.batch.core.launch.support.%s"
                      p:jobRepository-ref="jobRepository" %s/>
                """.formatted(type, properties));
    }

    Host operator() {
        String manager = exists("TaskExecutorJobLauncher") ? "p:transactionManager-ref=\"transactionManager\"" : "";
        return beans(Batch.SIX ? OPERATOR_6 : OPERATOR_BEFORE_6.formatted(manager));
    }

    Host property(String name, Object value) {
        properties.put(name, value);
        return this;
    }

    Host singleton(String name, Object bean) {
        singletons.put(name, bean);
        return this;
    }

    Host work(Work work) {
        return singleton("work", work);
    }

    Host childOf(ApplicationContext context) {
        parent = context;
        return this;
    }

    Node start() {
        GenericXmlApplicationContext context = new GenericXmlApplicationContext();
        try {
            context.setParent(parent);
            context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
            singletons.forEach(context.getBeanFactory()::registerSingleton);
            context.load(new ByteArrayResource((HEAD + beans + "</beans>").getBytes(StandardCharsets.UTF_8)));
            context.refresh();
            return new Node(context);
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    private static boolean exists(String launcher) {
        return org.springframework.util.ClassUtils.isPresent(
                "org.springframework.batch.core.launch.support." + launcher, null);
    }

    /** A running application. */
    record Node(GenericXmlApplicationContext context) implements AutoCloseable {
        Object run(String job, Object parameters) throws Throwable {
            return Batch.run(context.getBean("jobLauncher"), context.getBean(job), parameters);
        }

        Object operate(String method, Object... arguments) throws Throwable {
            return Batch.call(context.getBean("jobOperator"), JobOperator.class, method, arguments);
        }

        <T> T bean(Class<T> type) {
            return context.getBean(type);
        }

        Object bean(String name) {
            return context.getBean(name);
        }

        BatchRecovery recovery() {
            return context.getBean(BatchRecovery.class);
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
