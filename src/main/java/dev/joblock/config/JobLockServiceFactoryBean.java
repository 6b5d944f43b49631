package dev.joblock.config;

import dev.joblock.Durations;
import dev.joblock.JobLockListener;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobLockService;
import dev.joblock.LockMode;
import dev.joblock.LockStore;
import dev.joblock.LockStoreDecorator;
import dev.joblock.Nodes;
import dev.joblock.RunObserver;
import dev.joblock.engine.DefaultJobLockService;
import dev.joblock.engine.UnguardedStore;
import dev.joblock.redis.JobLockConnectionFactoryBean;
import dev.joblock.redis.ReplicaAcknowledgement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNameAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Makes the {@link JobLockService}: with the stores of those modes that policies use, and every {@link JobLockListener}
 * and {@link RunObserver} bean of the context and its ancestors.
 *
 * <p>Stores are given by bean name and made only if their mode is used; none is made where guarding is switched off. To be
 * set up before the context has started; its product is thread-safe and is closed with the context.
 */
public class JobLockServiceFactoryBean
        implements FactoryBean<JobLockService>,
                BeanFactoryAware,
                BeanNameAware,
                InitializingBean,
                SmartInitializingSingleton,
                DisposableBean {

    private static final String OUR_PREFIX = "joblock";

    private String nodeId = "";
    private Duration askBudget = Duration.ofSeconds(1);
    private boolean enabled = true;
    private Map<String, String> stores = Collections.emptyMap();
    private String connectionFactory = "";
    private ReplicaAcknowledgement replicas = ReplicaAcknowledgement.none();
    private JobLockPolicies policies = new JobLockPolicies(new JobLockPolicy(), Collections.emptyList());
    private List<ListenerBean> listeners = Collections.emptyList();
    private @Nullable Nodes nodes;
    private String name = "";

    @SuppressWarnings("NullAway.Init")
    private ConfigurableListableBeanFactory beans;

    private @Nullable DefaultJobLockService product;

    /** A factory to be set up by its setters. */
    public JobLockServiceFactoryBean() {}

    /**
     * The id of this node.
     *
     * @param nodeId a text that no other node has
     */
    public void setNodeId(String nodeId) {
        this.nodeId = nodeId;
    }

    /**
     * How long one ask may take as a whole.
     *
     * @param askBudget a duration such as {@code 1s} (default)
     */
    public void setAskBudget(String askBudget) {
        this.askBudget = Durations.parsePositive("askBudget", askBudget);
    }

    /**
     * Whether locks are asked for at all.
     *
     * @param enabled false to grant everything and ask nobody; default true
     */
    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    /**
     * The store of each mode.
     *
     * @param stores modes such as {@code hash-timestamp}, each with the name of a {@link LockStore} bean
     */
    public void setStores(Map<String, String> stores) {
        this.stores = stores;
    }

    /**
     * The connection factory under the stores, which decides which modes are possible.
     *
     * @param connectionFactory the name of the bean; blank if it is not known
     */
    public void setConnectionFactory(String connectionFactory) {
        this.connectionFactory = connectionFactory;
    }

    /**
     * How many replicas the stores wait for, which is possible on one master with replicas only.
     *
     * @param replicas the rule that the stores were given
     */
    public void setReplicas(ReplicaAcknowledgement replicas) {
        this.replicas = replicas;
    }

    /**
     * Who compares the clocks of the nodes with that of Redis.
     *
     * @param nodes the nodes; without them the clock of Redis is always believed
     */
    public void setNodes(Nodes nodes) {
        this.nodes = nodes;
    }

    /**
     * How jobs are locked.
     *
     * @param policies the policies
     */
    public void setPolicies(JobLockPolicies policies) {
        this.policies = policies;
    }

    @Override
    public void setBeanFactory(BeanFactory beans) {
        this.beans = (ConfigurableListableBeanFactory) beans;
    }

    @Override
    public void setBeanName(String name) {
        this.name = name;
    }

    @Override
    public void afterPropertiesSet() {
        Map<LockMode, LockStore> used = new EnumMap<>(LockMode.class);
        for (LockMode mode : usedModes()) {
            used.put(mode, enabled ? decorated(store(mode), mode) : new UnguardedStore());
        }
        if (enabled) {
            refuseLegacyOnCluster();
        }
        List<ListenerBean> found = new ArrayList<>();
        for (String listener :
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, JobLockListener.class, true, true)) {
            found.add(new ListenerBean(beans, listener));
            if (listener.startsWith(OUR_PREFIX)) {
                // It is to hear of what happens while the service closes.
                beans.registerDependentBean(listener, name);
            }
        }
        listeners = found;
        product = new DefaultJobLockService(nodeId, askBudget, used, policies, new ArrayList<>(found));
        product.observe(
                new ArrayList<>(BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, RunObserver.class, true, false)
                        .values()));
        if (nodes != null) {
            product.setRedisOutlier(nodes::isRedisOutlier);
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        listeners.forEach(ListenerBean::listener);
    }

    @Override
    public JobLockService getObject() {
        return Objects.requireNonNull(product, "not set up yet");
    }

    @Override
    public Class<?> getObjectType() {
        return JobLockService.class;
    }

    @Override
    public void destroy() {
        if (product != null) {
            product.close();
        }
    }

    private Set<LockMode> usedModes() {
        Set<LockMode> modes = EnumSet.of(policies.policyFor("").mode());
        policies.all().forEach(policy -> modes.add(policy.mode()));
        return modes;
    }

    private LockStore decorated(LockStore store, LockMode mode) {
        LockStore decorated = store;
        for (LockStoreDecorator decorator : BeanFactoryUtils.beansOfTypeIncludingAncestors(
                        beans, LockStoreDecorator.class, true, false)
                .values()) {
            decorated = decorator.decorate(decorated, mode);
        }
        return decorated;
    }

    private LockStore store(LockMode mode) {
        String store = stores.get(mode.toString());
        if (store == null) {
            throw new IllegalStateException("The mode '" + mode + "' is used and has no store; give one of the modes "
                    + stores.keySet() + " or add a store for it to the bean '" + name + "'");
        }
        boolean cluster = (mode == LockMode.STATUS_TIME || replicas.isAsked()) && isCluster();
        if (cluster && replicas.isAsked()) {
            throw new IllegalStateException(
                    "'joblock.replicas' can't be used on a Redis Cluster, whose connections refuse"
                            + " WAIT; leave it at 0 and set min-replicas-to-write on the servers");
        }
        if (cluster) {
            throw new IllegalStateException(
                    "The mode '" + mode + "' can't be used on a Redis Cluster, whose connections"
                            + " refuse WATCH; take 'joblock.mode' = '" + LockMode.HASH_TIMESTAMP
                            + "', also in the JobLockPolicy beans");
        }
        // Fetched by name, so Spring must be told that the store is to end after the service.
        beans.registerDependentBean(store, name);
        return beans.getBean(store, LockStore.class);
    }

    private void refuseLegacyOnCluster() {
        List<JobLockPolicy> all = new ArrayList<>(policies.all());
        all.add(policies.policyFor(""));
        for (JobLockPolicy policy : all) {
            if (policy.legacy().isPresent() && isCluster()) {
                throw new IllegalStateException(
                        "The " + policy + " has " + policy.legacy().get()
                                + ", which can't be used on a Redis Cluster: the key of the hand-written lock and ours lie in"
                                + " different hash slots and can't be changed in one step; leave 'legacy' out and change over with"
                                + " the jobs stopped");
            }
        }
    }

    private boolean isCluster() {
        return !connectionFactory.isEmpty() && JobLockConnectionFactoryBean.isCluster(beans.getBean(connectionFactory));
    }
}
