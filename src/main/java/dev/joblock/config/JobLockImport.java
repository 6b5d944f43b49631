package dev.joblock.config;

import dev.joblock.JobLockService;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionVisitor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.xml.XmlBeanDefinitionReader;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.ResourceLoaderAware;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * What {@code spring/joblock.xml} consists of: loads the part files whose libraries are there.
 *
 * <p>A bean that the host has declared under the same id stays, whether it comes before or after the import; the same is
 * true of our own from an earlier import, so that several imports do no harm, also where Spring allows no overriding. Runs
 * once at the start of a context.
 */
public class JobLockImport implements BeanDefinitionRegistryPostProcessor, EnvironmentAware, ResourceLoaderAware {

    private static final Logger LOG = LoggerFactory.getLogger(JobLockImport.class);

    private static final String SERVICE = "jobLockService";
    private static final String SERVICE_IF_TAKEN = "joblockService";
    private static final String POOL = "joblockPoolConfig";
    private static final String CONNECTIONS = "joblockConnectionFactory";

    private Environment environment = new StandardEnvironment();
    private ResourceLoader resources = new DefaultResourceLoader();

    /** An import of all parts whose libraries are there. */
    public JobLockImport() {}

    @Override
    public void setEnvironment(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void setResourceLoader(ResourceLoader resources) {
        this.resources = resources;
    }

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        if (!isPresent("org.springframework.data.redis.core.RedisOperations")) {
            throw new IllegalStateException(
                    "Joblock needs Spring Data Redis, which is not on the class path; add org.springframework.data:spring-data-redis");
        }
        List<String> parts = new ArrayList<>();
        parts.add("spring/joblock-redis.xml");
        parts.add("spring/joblock-scheduling.xml");
        parts.add("spring/joblock-history.xml");
        if (isPresent("io.micrometer.core.instrument.MeterRegistry")) {
            parts.add("spring/joblock-metrics.xml");
        }
        if (isPresent("io.micrometer.observation.ObservationRegistry")) {
            parts.add("spring/joblock-observation.xml");
        }
        parts.add("spring/joblock-jmx.xml");
        if (isPresent("org.quartz.Scheduler")) {
            parts.add("spring/joblock-quartz.xml");
        }
        if (isPresent("org.springframework.batch.core.launch.JobLauncher")) {
            parts.add("spring/joblock-batch.xml");
        }
        BeanDefinitionRegistry ours = load(parts);
        if (!isPresent("redis.clients.jedis.JedisPoolConfig")) {
            ours.removeBeanDefinition(POOL);
            ours.getBeanDefinition(CONNECTIONS).getPropertyValues().removePropertyValue("poolConfig");
        }
        addTo(registry, ours);
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        // All was done when the definitions were read.
    }

    /** Reads into a registry aside, so that nothing of the host's can be overridden, nor anything refused. */
    private BeanDefinitionRegistry load(List<String> parts) {
        // Keeps the order of the files, so that settings are made, and what is wrong with them is said, before all
        // else.
        BeanDefinitionRegistry ours = new DefaultListableBeanFactory();
        XmlBeanDefinitionReader reader = new XmlBeanDefinitionReader(ours);
        reader.setEnvironment(environment);
        reader.setResourceLoader(resources);
        for (String part : parts) {
            reader.loadBeanDefinitions(new ClassPathResource(part, JobLockImport.class.getClassLoader()));
        }
        return ours;
    }

    private static void addTo(BeanDefinitionRegistry host, BeanDefinitionRegistry ours) {
        boolean renamed = isForeign(host, SERVICE);
        BeanDefinitionVisitor visitor =
                new BeanDefinitionVisitor(text -> renamed && text.equals(SERVICE) ? SERVICE_IF_TAKEN : text);
        for (String id : ours.getBeanDefinitionNames()) {
            BeanDefinition definition = ours.getBeanDefinition(id);
            String name = renamed && id.equals(SERVICE) ? SERVICE_IF_TAKEN : id;
            visitor.visitBeanDefinition(definition);
            if (!host.isBeanNameInUse(name)) {
                markOurs(definition);
                host.registerBeanDefinition(name, definition);
            } else if (!isOurs(host, name)) {
                LOG.info("The bean '{}' of this application is used in place of the one that comes with Joblock", name);
            }
        }
    }

    /** Whether a name is taken by a bean that can't stand in for our service. */
    private static boolean isForeign(BeanDefinitionRegistry host, String name) {
        if (!host.isBeanNameInUse(name) || isOurs(host, name) || !(host instanceof ConfigurableListableBeanFactory)) {
            return false;
        }
        Class<?> type = ((ConfigurableListableBeanFactory) host).getType(name, false);
        boolean foreign = type != null && !JobLockService.class.isAssignableFrom(type);
        if (foreign) {
            LOG.info(
                    "The bean '{}' of this application is a {}; the JobLockService is the bean '{}'",
                    name,
                    type.getName(),
                    SERVICE_IF_TAKEN);
        }
        return foreign;
    }

    /** Says that a definition is the kit's own, so that it takes part in our beans without a word. */
    static void markOurs(BeanDefinition definition) {
        definition.setAttribute(JobLockImport.class.getName(), true);
    }

    private static boolean isOurs(BeanDefinitionRegistry host, String name) {
        return host.containsBeanDefinition(name)
                && host.getBeanDefinition(name).hasAttribute(JobLockImport.class.getName());
    }

    private static boolean isPresent(String className) {
        return ClassUtils.isPresent(className, JobLockImport.class.getClassLoader());
    }
}
