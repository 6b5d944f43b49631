package dev.joblock.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/**
 * What a host may set. Looked up in the servlet's init parameters, the environment, the placeholders of the host's contexts, then
 * in {@code joblock.properties} on the class path. Immutable once it is wired.
 */
public final class ConsoleSettings implements BeanFactoryAware {

    private String viewerRole = "";
    private String operatorRole = "OPERATOR";
    private ZoneId zone = ZoneId.systemDefault();

    /** With the defaults; the bean factory fills it. */
    public ConsoleSettings() {}

    @Override
    public void setBeanFactory(BeanFactory factory) {
        Properties file = file();
        viewerRole = find("joblock.console.viewer-role", factory, file).orElse(viewerRole);
        operatorRole = find("joblock.console.operator-role", factory, file).orElse(operatorRole);
        zone = find("joblock.console.zone", factory, file)
                .map(ConsoleSettings::zone)
                .orElse(zone);
    }

    /**
     * Who may look.
     *
     * @return a role; empty for whoever is logged in, {@code *} for everybody whom the host lets through
     */
    String viewerRole() {
        return viewerRole;
    }

    /**
     * Who may run and release.
     *
     * @return a role; {@code *} for whoever is logged in
     */
    String operatorRole() {
        return operatorRole;
    }

    /**
     * The zone in which times are shown.
     *
     * @return the zone; by default that of this node
     */
    ZoneId zone() {
        return zone;
    }

    private static Optional<String> find(String name, BeanFactory own, Properties file) {
        BeanFactory factory = own;
        while (factory instanceof HierarchicalBeanFactory level) {
            if (level instanceof ConfigurableBeanFactory configurable) {
                Optional<String> value = resolve(name, configurable);
                if (value.isPresent()) {
                    return value;
                }
            }
            factory = parent(level);
        }
        return Optional.ofNullable(file.getProperty(name)).map(String::trim).filter(value -> !value.isEmpty());
    }

    private static Optional<String> resolve(String name, ConfigurableBeanFactory factory) {
        try {
            String value = factory.resolveEmbeddedValue("${" + name + ":}");
            return Optional.ofNullable(value).map(String::trim).filter(it -> !it.isEmpty() && !it.startsWith("${"));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + name + "' has no value: " + e.getMessage(), e);
        }
    }

    private static @Nullable BeanFactory parent(HierarchicalBeanFactory level) {
        BeanFactory parent = level.getParentBeanFactory();
        if (parent instanceof org.springframework.context.ApplicationContext context) {
            return context.getAutowireCapableBeanFactory();
        }
        return parent;
    }

    private static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'joblock.console.zone' is '" + text + "': no zone of that name; write for example Europe/Berlin",
                    e);
        }
    }

    private static Properties file() {
        ClassPathResource resource = new ClassPathResource("joblock.properties", classLoader());
        if (!resource.exists()) {
            return new Properties();
        }
        try {
            return PropertiesLoaderUtils.loadProperties(resource);
        } catch (IOException e) {
            throw new UncheckedIOException("'joblock.properties' on the class path can't be read", e);
        }
    }

    private static @Nullable ClassLoader classLoader() {
        return Thread.currentThread().getContextClassLoader();
    }
}
