package dev.joblock.config;

import org.springframework.beans.factory.xml.NamespaceHandlerSupport;

/**
 * The elements of {@code xmlns:joblock="https://joblock.dev/schema/joblock"}. They make the same beans as the file to
 * import, {@code spring/joblock.xml}: an attribute sets the property of the same name. Found by Spring through
 * {@code META-INF/spring.handlers}.
 */
public class JobLockNamespaceHandler extends NamespaceHandlerSupport {

    /** A handler that is set up by {@link #init()}. */
    public JobLockNamespaceHandler() {}

    @Override
    public void init() {
        registerBeanDefinitionParser("service", new SettingsParser("joblock."));
        registerBeanDefinitionParser("connection", new SettingsParser("joblock.redis."));
        registerBeanDefinitionParser("quartz", new SettingsParser("joblock.quartz."));
        registerBeanDefinitionParser("scheduling", new SettingsParser("joblock.scheduling."));
        registerBeanDefinitionParser("batch", new SettingsParser("joblock.batch."));
        registerBeanDefinitionParser("history", new SettingsParser("joblock.history."));
        registerBeanDefinitionParser("advice", new AdviceParser());
        registerBeanDefinitionParser("job", new PolicyParser());
    }
}
