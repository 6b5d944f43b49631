package dev.joblock.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;

/** Finds the one {@link MeterRegistry} bean of the application, or its primary one. For the thread that starts the context. */
public final class RegistryFinder implements BeanFactoryAware {

    private static final Logger LOG = LoggerFactory.getLogger(RegistryFinder.class);

    private @Nullable BeanFactory beans;

    /** A finder that looks in the factory of its bean. */
    public RegistryFinder() {}

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = beanFactory;
    }

    @Nullable
    MeterRegistry find() {
        MeterRegistry registry = beans == null
                ? null
                : beans.getBeanProvider(MeterRegistry.class).getIfUnique();
        if (registry == null) {
            LOG.debug("Joblock measures nothing: there is no MeterRegistry bean, or more than one and none primary");
        }
        return registry;
    }
}
