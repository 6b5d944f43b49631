package dev.joblock.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.PlaceholderConfigurerSupport;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.PropertySources;
import org.springframework.core.env.PropertySourcesPropertyResolver;

/**
 * What the host's placeholder configurers know, in this context and its ancestors.
 *
 * <p>Asked without a default, since the first configurer would take the default though a later one knows the value. A
 * strict configurer throws for a name that it doesn't know and so hides those behind it; then each is asked by itself.
 *
 * <p>For the thread that starts the context.
 */
final class HostPlaceholders {

    private static final String ORIGIN = "the host's placeholders";
    private static final Pattern UNRESOLVED = Pattern.compile("[Cc]ould not resolve placeholder '([^']*)'");

    private final List<ConfigurableListableBeanFactory> factories = new ArrayList<>();
    private final Map<PlaceholderConfigurerSupport, DefaultListableBeanFactory> probes = new LinkedHashMap<>();

    HostPlaceholders(BeanFactory own) {
        BeanFactory factory = own;
        while (factory instanceof ConfigurableListableBeanFactory) {
            ConfigurableListableBeanFactory configurable = (ConfigurableListableBeanFactory) factory;
            factories.add(configurable);
            factory = configurable.getParentBeanFactory();
        }
    }

    /** The value of a name, or empty if no configurer knows it. */
    Optional<Found> find(String name) {
        for (ConfigurableListableBeanFactory factory : factories) {
            Optional<String> value = resolve(factory, name);
            if (!value.isPresent()) {
                value = askSources(factory, name);
            }
            if (value.isPresent()) {
                return Optional.of(new Found(name, value.get(), ORIGIN));
            }
        }
        return Optional.empty();
    }

    /** The sources that configurers have put together, as far as they show them. */
    List<PropertySource<?>> sources() {
        List<PropertySource<?>> all = new ArrayList<>();
        for (ConfigurableListableBeanFactory factory : factories) {
            for (PropertySourcesPlaceholderConfigurer configurer :
                    configurers(factory, PropertySourcesPlaceholderConfigurer.class)) {
                applied(configurer).ifPresent(sources -> sources.forEach(all::add));
            }
        }
        return all;
    }

    private Optional<String> resolve(ConfigurableListableBeanFactory factory, String name) {
        try {
            return known(name, factory.resolveEmbeddedValue(placeholder(name)));
        } catch (IllegalArgumentException e) {
            refuseBroken(name, e);
            return askStrict(factory, name);
        }
    }

    /** Runs each configurer by itself on a factory without beans, where all it leaves is its resolver. */
    private Optional<String> askStrict(ConfigurableListableBeanFactory factory, String name) {
        for (PlaceholderConfigurerSupport configurer : configurers(factory, PlaceholderConfigurerSupport.class)) {
            if (configurer instanceof PropertySourcesPlaceholderConfigurer) {
                continue;
            }
            DefaultListableBeanFactory probe = probes.computeIfAbsent(configurer, HostPlaceholders::probe);
            try {
                Optional<String> value = known(name, probe.resolveEmbeddedValue(placeholder(name)));
                if (value.isPresent()) {
                    return value;
                }
            } catch (IllegalArgumentException e) {
                refuseBroken(name, e);
            }
        }
        return Optional.empty();
    }

    /** Also finds what is behind another prefix than <code>${</code>. */
    private static Optional<String> askSources(ConfigurableListableBeanFactory factory, String name) {
        for (PropertySourcesPlaceholderConfigurer configurer :
                configurers(factory, PropertySourcesPlaceholderConfigurer.class)) {
            PropertySources sources = applied(configurer).orElse(null);
            try {
                String value = new PropertySourcesPropertyResolver(sources).getProperty(name);
                if (value != null) {
                    return Optional.of(value);
                }
            } catch (IllegalArgumentException e) {
                throw broken(name, e);
            }
        }
        return Optional.empty();
    }

    private static Optional<PropertySources> applied(PropertySourcesPlaceholderConfigurer configurer) {
        try {
            return Optional.of(configurer.getAppliedPropertySources());
        } catch (IllegalStateException e) {
            return Optional.empty(); // it has not run, so the host's own placeholders don't see it either
        }
    }

    private static DefaultListableBeanFactory probe(PlaceholderConfigurerSupport configurer) {
        DefaultListableBeanFactory probe = new DefaultListableBeanFactory();
        configurer.postProcessBeanFactory(probe);
        return probe;
    }

    private static <T extends PlaceholderConfigurerSupport> List<T> configurers(
            ConfigurableListableBeanFactory factory, Class<T> type) {
        List<T> found = new ArrayList<>();
        for (String name : factory.getBeanNamesForType(type, true, false)) {
            found.add(factory.getBean(name, type));
        }
        return found;
    }

    private static Optional<String> known(String name, @Nullable String value) {
        return value == null || value.equals(placeholder(name)) ? Optional.empty() : Optional.of(value);
    }

    /** Tells a name that is not known from a value whose own placeholder is not. */
    private static void refuseBroken(String name, IllegalArgumentException e) {
        String message = String.valueOf(e.getMessage());
        Matcher unresolved = UNRESOLVED.matcher(message);
        boolean other = unresolved.find() && !unresolved.group(1).equals(name);
        if (other || message.startsWith("Circular placeholder")) {
            throw broken(name, e);
        }
    }

    private static IllegalArgumentException broken(String name, IllegalArgumentException e) {
        return new IllegalArgumentException(
                "'" + name + "' has no value: " + e.getMessage() + "; set what is missing (from " + ORIGIN + ")");
    }

    private static String placeholder(String name) {
        return "${" + name + "}";
    }
}
