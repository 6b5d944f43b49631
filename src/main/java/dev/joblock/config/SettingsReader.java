package dev.joblock.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.PropertySourcesPropertyResolver;

/**
 * Looks a name up: in the properties of the settings bean, in the host's placeholders, in the environment, in
 * {@code joblock.properties}; the first that knows it wins.
 *
 * <p>For the thread that starts the context.
 */
final class SettingsReader {

    static final String FILE = "joblock.properties";

    private final Properties own;
    private final HostPlaceholders host;
    private final Environment environment;
    private final Properties file;
    private final PropertySourcesPropertyResolver nested;

    SettingsReader(Properties own, HostPlaceholders host, Environment environment, Properties file) {
        this.own = own;
        this.host = host;
        this.environment = environment;
        this.file = file;
        MutablePropertySources all = new MutablePropertySources();
        all.addLast(new PropertySource<Object>("joblock") {
            @Override
            public @Nullable Object getProperty(String name) {
                return raw(name).map(Found::text).orElse(null);
            }
        });
        this.nested = new PropertySourcesPropertyResolver(all);
    }

    /** The value of a name with the placeholders in it resolved, or empty if nobody knows it. */
    Optional<Found> find(String name) {
        return raw(name).map(this::resolved);
    }

    /** Every name that the sources list, with where it stands; of sources that can't be listed, nothing. */
    Map<String, String> listed() {
        Map<String, String> names = new LinkedHashMap<>();
        own.stringPropertyNames().forEach(name -> names.putIfAbsent(name, "the settings bean"));
        host.sources().forEach(source -> list(source, names));
        if (environment instanceof ConfigurableEnvironment) {
            ((ConfigurableEnvironment) environment).getPropertySources().forEach(source -> list(source, names));
        }
        file.stringPropertyNames().forEach(name -> names.putIfAbsent(name, FILE));
        return names;
    }

    private Optional<Found> raw(String name) {
        String text = own.getProperty(name);
        if (text != null) {
            return Optional.of(new Found(name, text, "the settings bean"));
        }
        Optional<Found> found = host.find(name);
        Optional<Found> inEnvironment = inEnvironment(name);
        if (found.isPresent()) {
            // Most configurers ask the environment too; where the value is from there, say so.
            return inEnvironment
                            .filter(other -> other.text().equals(found.get().text()))
                            .isPresent()
                    ? inEnvironment
                    : found;
        }
        if (inEnvironment.isPresent()) {
            return inEnvironment;
        }
        text = file.getProperty(name);
        return text == null ? Optional.empty() : Optional.of(new Found(name, text, FILE));
    }

    private Found resolved(Found found) {
        if (!found.text().contains("${")) {
            return found;
        }
        try {
            return new Found(found.name(), nested.resolvePlaceholders(found.text()), found.origin());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + found.name() + "' has no value: " + e.getMessage() + "; set what is missing" + found.from());
        }
    }

    private Optional<Found> inEnvironment(String name) {
        if (!(environment instanceof ConfigurableEnvironment)) {
            return Optional.ofNullable(environment.getProperty(name))
                    .map(text -> new Found(name, text, "the environment"));
        }
        for (PropertySource<?> source : ((ConfigurableEnvironment) environment).getPropertySources()) {
            Object value = source.getProperty(name);
            if (value != null) {
                return Optional.of(new Found(name, value.toString(), source.getName()));
            }
        }
        return Optional.empty();
    }

    private static void list(PropertySource<?> source, Map<String, String> names) {
        if (source instanceof EnumerablePropertySource) {
            for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
                names.putIfAbsent(name, source.getName());
            }
        }
    }
}
