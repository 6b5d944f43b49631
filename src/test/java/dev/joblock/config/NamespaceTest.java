package dev.joblock.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.LockMode;
import dev.joblock.StoreDownRule;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.core.Conventions;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The XML namespace. Nobody listens at the port, and no parser asks for Redis. */
class NamespaceTest {
    private static final String SCHEMA = "https://joblock.dev/schema/joblock/joblock.xsd";
    private static final String CONNECTION = "<joblock:connection port=\"1\"/>";

    private static GenericXmlApplicationContext start(String schema, String beans, Map<String, Object> environment) {
        GenericXmlApplicationContext context = new GenericXmlApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", environment));
        context.setAllowBeanDefinitionOverriding(false);
        String xml = """
                <beans xmlns="http://www.springframework.org/schema/beans"
                       xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                       xmlns:joblock="https://joblock.dev/schema/joblock"
                       xsi:schemaLocation="http://www.springframework.org/schema/beans https://www.springframework.org/schema/beans/spring-beans.xsd
                                           https://joblock.dev/schema/joblock %s">
                %s
                </beans>
                """.formatted(schema, beans);
        try {
            context.load(new ByteArrayResource(xml.getBytes(StandardCharsets.UTF_8)));
            context.refresh();
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
        return context;
    }

    private static GenericXmlApplicationContext start(String beans) {
        return start(SCHEMA, beans, Map.of());
    }

    private static Set<String> beans(GenericXmlApplicationContext context) {
        return Arrays.stream(context.getBeanDefinitionNames())
                .map(name -> name + " " + context.getBeanFactory().getType(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void anElementMakesTheSameBeansAsTheFileToImport() {
        try (GenericXmlApplicationContext namespace = start(CONNECTION);
                GenericXmlApplicationContext imported = start(
                        SCHEMA,
                        "<import resource=\"classpath:spring/joblock.xml\"/>",
                        Map.of("joblock.redis.port", "1"))) {
            assertThat(beans(namespace)).isEqualTo(beans(imported));
        }
    }

    @Test
    void namespaceAndImportTogetherDoNoHarm() {
        try (GenericXmlApplicationContext context =
                start("<import resource=\"classpath:spring/joblock.xml\"/>" + CONNECTION + "<joblock:service/>")) {
            assertThat(context.getBean(JobLockSettings.class).getRedis().getPort())
                    .isEqualTo(1);
        }
    }

    @Test
    void attributesAreSettingsAndNestedJobsArePolicies() {
        try (GenericXmlApplicationContext context = start(CONNECTION + """
                <joblock:service lease="45s" prefix="shop:joblock:" when-store-down="run">
                    <joblock:job name="reconcile*" lease="2m" max-hold="1h" mode="token" retry="5m"/>
                    <joblock:job name="watch" min-interval="6s" when-store-down="skip" rerun="true" interrupt-on-loss="true"/>
                    <joblock:job name="importA,importB" lock-name="import"/>
                </joblock:service>
                <joblock:quartz jobs="report*"/>
                """)) {
            JobLockSettings settings = context.getBean(JobLockSettings.class);
            assertThat(settings.getLease()).isEqualTo("45s");
            assertThat(settings.getPrefix()).isEqualTo("shop:joblock:");
            assertThat(settings.getQuartzJobs()).isEqualTo("report*");
            JobLockPolicies policies = context.getBean(JobLockPolicies.class);
            JobLockPolicy reconcile = policies.policyFor("reconcileBooks");
            assertThat(reconcile.lease()).isEqualTo(Duration.ofMinutes(2));
            assertThat(reconcile.mode()).isEqualTo(LockMode.TOKEN);
            assertThat(reconcile.retry()).isEqualTo(Duration.ofMinutes(5));
            assertThat(reconcile.whenStoreDown()).isEqualTo(StoreDownRule.RUN);
            JobLockPolicy watch = policies.policyFor("watch");
            assertThat(watch.lease()).isEqualTo(Duration.ofSeconds(45));
            assertThat(watch.minInterval()).contains(Duration.ofSeconds(6));
            assertThat(watch.whenStoreDown()).isEqualTo(StoreDownRule.SKIP);
            assertThat(watch.reruns() && watch.interruptsOnLoss()).isTrue();
            assertThat(policies.policyFor("importB").lockName()).contains("import");
        }
    }

    @Test
    void placeholdersStandInAnyAttribute() {
        try (GenericXmlApplicationContext context = start(
                SCHEMA, """
                <bean class="org.springframework.context.support.PropertySourcesPlaceholderConfigurer"/>
                <joblock:connection port="${locks.port}"/>
                <joblock:service lease="${locks.lease}">
                    <joblock:job name="${locks.job}" lease="${locks.long}"/>
                </joblock:service>
                """, Map.of("locks.port", "1", "locks.lease", "7s", "locks.job", "a*", "locks.long", "9s"))) {
            JobLockPolicies policies = context.getBean(JobLockPolicies.class);
            assertThat(policies.policyFor("other").lease()).isEqualTo(Duration.ofSeconds(7));
            assertThat(policies.policyFor("any").lease()).isEqualTo(Duration.ofSeconds(9));
        }
    }

    static Stream<Arguments> whatIsWrong() {
        return Stream.of(
                Arguments.of("<joblock:service lease=\"30\"/>", "'joblock.lease' = '30' has no unit"),
                Arguments.of(
                        "<joblock:service><joblock:job name=\"a\" lease=\"30\"/></joblock:service>",
                        "'lease' = '30' has no unit"),
                Arguments.of(
                        "<joblock:service lease=\"30s\"/><joblock:service lease=\"40s\"/>",
                        "'joblock.lease' is set twice, to '30s' and by <joblock:service lease=\"40s\">; keep one"),
                Arguments.of(
                        "<joblock:service><joblock:job name=\"a\"/><joblock:job name=\"a\"/></joblock:service>",
                        "<joblock:job name=\"a\"> stands twice; keep one"),
                Arguments.of("<joblock:service leese=\"30s\"/>", "leese"),
                Arguments.of("<joblock:service><joblock:job lease=\"3s\"/></joblock:service>", "name"));
    }

    @ParameterizedTest
    @MethodSource("whatIsWrong")
    void whatIsWrongIsSaid(String elements, String sentence) {
        assertThatThrownBy(() -> start(CONNECTION + elements).close()).hasStackTraceContaining(sentence);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://joblock.dev/schema/joblock/joblock.xsd",
                "http://joblock.dev/schema/joblock/joblock.xsd",
                "https://joblock.dev/schema/joblock/joblock-0.1.xsd",
                "http://joblock.dev/schema/joblock/joblock-0.1.xsd"
            })
    void schemaComesFromTheJar(String location) {
        start(location, CONNECTION, Map.of()).close();
    }

    @Test
    void adviceIsABeanForAopConfig() {
        try (GenericXmlApplicationContext context = start(CONNECTION + """
                <joblock:advice id="lockAdvice">
                    <joblock:method name="rebuild*" job="rebuild-index"/>
                    <joblock:method name="clean"/>
                </joblock:advice>
                """)) {
            assertThat(context.getBean("lockAdvice").getClass().getName())
                    .isEqualTo("dev.joblock.scheduling.JobLockAdvice");
        }
    }

    /** Of each element its attributes, from the schema. */
    private static Map<String, Set<String>> schema() throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        Map<String, Set<String>> elements = new TreeMap<>();
        try (InputStream in = Objects.requireNonNull(NamespaceTest.class.getResourceAsStream("joblock.xsd"))) {
            Document document = factory.newDocumentBuilder().parse(in);
            for (Element element : all(document.getDocumentElement(), "element")) {
                if (element.hasAttribute("name")) {
                    Set<String> names = new TreeSet<>();
                    for (Element attribute : all(element, "attribute")) {
                        names.add(attribute.getAttribute("name"));
                        assertThat(attribute.getTextContent().trim())
                                .as(element.getAttribute("name") + " " + attribute.getAttribute("name"))
                                .matches(text -> attribute.hasAttribute("use")
                                        || text.toLowerCase(Locale.ROOT).contains("default")
                                        || text.contains("Required with"))
                                .endsWith(".");
                    }
                    elements.put(element.getAttribute("name"), names);
                }
            }
        }
        return elements;
    }

    private static Iterable<Element> all(Element parent, String name) {
        NodeList nodes = parent.getElementsByTagNameNS(XMLConstants.W3C_XML_SCHEMA_NS_URI, name);
        return Stream.iterate(0, i -> i + 1)
                .limit(nodes.getLength())
                .map(i -> (Element) nodes.item(i))
                .toList();
    }

    @Test
    void everySettingIsAnAttributeAndEveryAttributeASetting() throws Exception {
        Map<String, Set<String>> elements = schema();
        Set<String> attributes = new TreeSet<>();
        Map.of(
                        "service", "joblock.",
                        "connection", "joblock.redis.",
                        "quartz", "joblock.quartz.",
                        "scheduling", "joblock.scheduling.",
                        "batch", "joblock.batch.",
                        "history", "joblock.history.")
                .forEach((element, prefix) ->
                        Objects.requireNonNull(elements.get(element)).forEach(name -> attributes.add(prefix + name)));

        Set<String> settings = new TreeSet<>();
        for (Setting setting : Setting.ALL) {
            String key = setting.key();
            String prefix = Stream.of("redis.", "quartz.", "scheduling.", "batch.", "history.", "")
                    .map("joblock."::concat)
                    .filter(key::startsWith)
                    .findFirst()
                    .orElseThrow();
            settings.add(prefix + key.substring(prefix.length()).replace('.', '-'));
        }
        assertThat(attributes).isEqualTo(settings);
    }

    @Test
    void everyPropertyOfAPolicyIsAnAttributeOfAJob() throws Exception {
        Set<String> properties = Arrays.stream(
                        Introspector.getBeanInfo(JobLockPolicy.class).getPropertyDescriptors())
                .filter(property -> property.getWriteMethod() != null)
                .map(PropertyDescriptor::getName)
                .collect(Collectors.toCollection(TreeSet::new));

        Set<String> attributes = new TreeSet<>();
        Objects.requireNonNull(schema().get("job"))
                .forEach(name ->
                        attributes.add(name.equals("name") ? "jobs" : Conventions.attributeNameToPropertyName(name)));
        assertThat(attributes).isEqualTo(properties);
    }
}
