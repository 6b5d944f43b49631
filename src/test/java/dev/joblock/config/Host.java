package dev.joblock.config;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

/** An application that imports the kit: its XML is written in the test. */
final class Host {

    static final String IMPORT = "<import resource=\"classpath:spring/joblock.xml\"/>";

    private static final String HEAD = """
            <?xml version="1.0" encoding="UTF-8"?>
            <beans xmlns="http://www.springframework.org/schema/beans"
                   xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                   xmlns:context="http://www.springframework.org/schema/context"
                   xmlns:p="http://www.springframework.org/schema/p"
                   xsi:schemaLocation="http://www.springframework.org/schema/beans https://www.springframework.org/schema/beans/spring-beans.xsd
                                       http://www.springframework.org/schema/context https://www.springframework.org/schema/context/spring-context.xsd">
            """;

    private final String beans;
    private final Map<String, Object> environment = new HashMap<>();
    private final Map<String, Object> singletons = new HashMap<>();
    private boolean overriding = true;
    private String name = "";
    private @Nullable ApplicationContext parent;
    private @Nullable ClassLoader loader;

    private Host(String beans) {
        this.beans = beans;
    }

    /** A host with these elements in its XML, and nothing else. */
    static Host of(String beans) {
        return new Host(beans);
    }

    /** A host that only imports. */
    static Host importing() {
        return new Host(IMPORT);
    }

    /** A placeholder configurer of a class's own kind, as XML. */
    static String configurer(Class<?> type, boolean strict, String properties) {
        return """
                <bean class="%s">
                    <property name="ignoreUnresolvablePlaceholders" value="%s"/>
                    <property name="properties"><value>%s</value></property>
                </bean>
                """.formatted(type.getName(), !strict, properties);
    }

    Host environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** A bean that several hosts may share. */
    Host singleton(String name, Object bean) {
        singletons.put(name, bean);
        return this;
    }

    Host withoutOverriding() {
        overriding = false;
        return this;
    }

    Host named(String applicationName) {
        name = applicationName;
        return this;
    }

    Host childOf(ApplicationContext context) {
        parent = context;
        return this;
    }

    Host classLoader(ClassLoader classLoader) {
        loader = classLoader;
        return this;
    }

    GenericXmlApplicationContext start() {
        GenericXmlApplicationContext context = new Application(name);
        context.setParent(parent);
        if (loader != null) {
            context.setClassLoader(loader);
        }
        singletons.forEach(context.getBeanFactory()::registerSingleton);
        context.setAllowBeanDefinitionOverriding(overriding);
        // In place of this JVM's own properties and variables, which differ from machine to machine.
        MutablePropertySources sources = context.getEnvironment().getPropertySources();
        sources.remove(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
        sources.remove(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
        sources.addFirst(new MapPropertySource("test", environment));
        // Where a test sets no port, nobody is to listen: not the Redis of whoever runs it.
        if (!beans.contains("redis.port") && !environment.containsKey("redis.port")) {
            sources.addLast(new MapPropertySource("nowhere", Map.of("joblock.redis.port", "1")));
        }
        context.load(new ByteArrayResource((HEAD + beans + "</beans>").getBytes(StandardCharsets.UTF_8)));
        try {
            context.refresh();
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
        return context;
    }

    /** The sentence with which the start fails. */
    String failure() {
        try (GenericXmlApplicationContext context = start()) {
            throw new AssertionError("started: " + context);
        } catch (RuntimeException e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            return String.valueOf(cause.getMessage());
        }
    }

    /** A context with the name that a web application has by its path. */
    private static final class Application extends GenericXmlApplicationContext {
        private final String name;

        Application(String name) {
            this.name = name;
        }

        @Override
        public String getApplicationName() {
            return name;
        }
    }
}
