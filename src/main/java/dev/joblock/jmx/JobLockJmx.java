package dev.joblock.jmx;

import dev.joblock.GuardSwitch;
import dev.joblock.JobLockOperations;
import dev.joblock.JobStates;
import dev.joblock.Nodes;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;

/**
 * The MBean {@code dev.joblock:type=JobLock,context="<id>"} of an application, in the platform's MBean server from the start of
 * the context to its end. Itself it is none, so that an exporter of the host leaves it alone. The context's id is in the name, so that several applications of one Tomcat have one each. Where the
 * server refuses it, one WARN says so and the application goes on. Thread-safe.
 */
public final class JobLockJmx extends Counters
        implements ApplicationContextAware, SmartInitializingSingleton, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(JobLockJmx.class);

    private final JobStates states;
    private final JobLockOperations operations;
    private final Nodes nodes;
    private final String nodeId;
    private @Nullable ApplicationContext context;
    private @Nullable ObjectName name;

    /**
     * An MBean.
     *
     * @param states the states of jobs
     * @param operations what people do by hand
     * @param nodes the nodes
     * @param nodeId the id of this node
     */
    public JobLockJmx(JobStates states, JobLockOperations operations, Nodes nodes, String nodeId) {
        this.states = states;
        this.operations = operations;
        this.nodes = nodes;
        this.nodeId = nodeId;
    }

    @Override
    public void setApplicationContext(ApplicationContext applicationContext) {
        this.context = applicationContext;
    }

    /** Registers the MBean. Called by Spring. */
    @Override
    public void afterSingletonsInstantiated() {
        String id = context == null ? nodeId : String.valueOf(context.getId());
        try {
            ObjectName wanted = new ObjectName("dev.joblock:type=JobLock,context=" + ObjectName.quote(id));
            server().registerMBean(new StandardMBean(view(), JobLockMXBean.class, true), wanted);
            name = wanted;
        } catch (JMException | RuntimeException e) {
            LOG.warn(
                    "The MBean of Joblock for context '{}' can't be registered; all else works without it: {}",
                    id,
                    e.toString());
        }
    }

    /** Takes the MBean away. Called by Spring. */
    @Override
    public void destroy() {
        ObjectName registered = name;
        name = null;
        try {
            if (registered != null && server().isRegistered(registered)) {
                server().unregisterMBean(registered);
            }
        } catch (JMException | RuntimeException e) {
            LOG.debug("The MBean {} can't be taken away", registered, e);
        }
    }

    private JobLockMXBean view() {
        return new JobLockView(states, operations, nodes, nodeId, this::counts, this::switches);
    }

    private Collection<GuardSwitch> switches() {
        return context == null
                ? new ArrayList<>()
                : context.getBeansOfType(GuardSwitch.class, true, false).values();
    }

    private static MBeanServer server() {
        return ManagementFactory.getPlatformMBeanServer();
    }
}
