package dev.joblock.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.HistoryQuery;
import dev.joblock.JobHistory;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.testing.RedisExtension;
import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.support.GenericXmlApplicationContext;

/** Jars merged into one whose {@code META-INF/spring.handlers} and {@code spring.schemas} are not: one of each is left. */
class MergedJarIT {
    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    private static final String HANDLERS = "META-INF/spring.handlers";
    private static final String SCHEMAS = "META-INF/spring.schemas";
    private static final String ELEMENT = """
            <joblock:connection xmlns:joblock="https://joblock.dev/schema/joblock" port="1" %s/>
            """;
    private static final String LOCATION =
            "xsi:schemaLocation=\"https://joblock.dev/schema/joblock https://joblock.dev/schema/joblock/joblock.xsd\"";

    /** Keeps of the files of a name those that are let through. */
    private static final class MergedJar extends ClassLoader {
        private final Set<String> names;
        private final Predicate<URL> kept;

        MergedJar(Predicate<URL> kept, String... names) {
            super(MergedJarIT.class.getClassLoader());
            this.names = Set.of(names);
            this.kept = kept;
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            List<URL> all = Collections.list(super.getResources(name));
            if (names.contains(name)) {
                all.removeIf(kept.negate());
            }
            return Collections.enumeration(all);
        }

        @Override
        public @Nullable URL getResource(String name) {
            URL first = super.getResource(name);
            return first == null || !names.contains(name) || kept.test(first) ? first : null;
        }
    }

    /** What lies beside the kit's classes, in its jar or folder. */
    private static boolean isOurs(URL url) {
        try {
            List<String> ours = new ArrayList<>();
            for (String name : List.of(HANDLERS, SCHEMAS)) {
                for (URL candidate :
                        Collections.list(MergedJarIT.class.getClassLoader().getResources(name))) {
                    try (var in = candidate.openStream()) {
                        if (new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
                                .contains("joblock.dev")) {
                            ours.add(candidate.toString());
                        }
                    }
                }
            }
            assertThat(ours).hasSize(2);
            return ours.contains(url.toString());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Set<String> names(GenericXmlApplicationContext context) {
        return new TreeSet<>(Arrays.asList(context.getBeanDefinitionNames()));
    }

    private static Host importing() {
        return Host.importing()
                .environment("joblock.prefix", "merged:" + UUID.randomUUID() + ":")
                .environment("joblock.ask-budget", "20s")
                .environment("joblock.redis.host", redis.host())
                .environment("joblock.redis.port", Integer.toString(redis.port()));
    }

    /** Ours are overwritten by another jar's, or all are by the one of spring-beans. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theImportWorksInFull(boolean onlySpringBeansLeft) {
        Predicate<URL> kept =
                onlySpringBeansLeft ? url -> url.toString().contains("/spring-beans") : url -> !isOurs(url);
        try (GenericXmlApplicationContext merged = importing()
                        .classLoader(new MergedJar(kept, HANDLERS, SCHEMAS))
                        .start();
                GenericXmlApplicationContext whole = importing().start()) {
            assertThat(names(merged)).isEqualTo(names(whole));
            JobLockService service = merged.getBean(JobLockService.class);
            boolean[] ran = new boolean[1];
            assertThat(service.run(JobRun.exclusive("invoice"), () -> ran[0] = true)
                            .isGranted())
                    .isTrue();
            assertThat(ran).containsExactly(true);
            JobHistory history = merged.getBean("joblockHistory", JobHistory.class);
            await().untilAsserted(() ->
                    assertThat(history.find(HistoryQuery.all()).entries()).hasSize(1));
        }
    }

    @Test
    void theNamespaceFailsWithASentenceOfSprings() {
        String failure = Host.of(ELEMENT.formatted(LOCATION))
                .classLoader(new MergedJar(url -> !isOurs(url), HANDLERS))
                .failure();

        assertThat(failure)
                .contains("Unable to locate Spring NamespaceHandler for XML schema namespace"
                        + " [https://joblock.dev/schema/joblock]");
    }

    /** Without its location, which the parser would ask the network for. */
    @Test
    void withoutTheSchemaTheParserSaysWhichElementItDoesNotKnow() {
        String failure = Host.of(ELEMENT.formatted(""))
                .classLoader(new MergedJar(url -> !isOurs(url), HANDLERS, SCHEMAS))
                .failure();

        assertThat(failure).contains("no declaration can be found for element 'joblock:connection'");
    }
}
