package dev.joblock.redis;

import dev.joblock.Durations;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.PropertyAccessor;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNameAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Gives the connections: a pooled Jedis factory of its own, or the host's factory by its bean name.
 *
 * <p>The own factory is the product of this bean and not a bean itself, so that Spring's lifecycle does not stop it while
 * jobs still run: it ends when this bean is destroyed, after all that use it. It connects on first use, so that a Redis
 * which is away does not hinder the start. A host's factory stays the host's to end.
 *
 * <p>To be set up before the context has started and not changed afterwards; then safe for many threads.
 */
public class JobLockConnectionFactoryBean
        implements FactoryBean<RedisConnectionFactory>, BeanFactoryAware, BeanNameAware, DisposableBean {

    private static final String PROPERTY = "joblock.redis.connection-factory";

    private String connectionFactory = "";
    private String host = "localhost";
    private int port = 6379;
    private String sentinelMaster = "";
    private String sentinelNodes = "";
    private String sentinelPassword = "";
    private String clusterNodes = "";
    private int database;
    private String username = "";
    private String password = "";
    private boolean ssl;
    private Duration timeout = Duration.ofSeconds(1);
    private @Nullable Object poolConfig;
    private String name = "";

    @SuppressWarnings("NullAway.Init")
    private BeanFactory beans;

    private @Nullable RedisConnectionFactory product;
    private @Nullable DisposableBean own;

    /** A factory for a Redis on this machine. */
    public JobLockConnectionFactoryBean() {}

    /**
     * Takes a factory of the host; then no other property has effect.
     *
     * @param beanName the name of the host's {@code RedisConnectionFactory}; blank to make connections here
     */
    public void setConnectionFactory(String beanName) {
        this.connectionFactory = beanName.trim();
    }

    /**
     * Where Redis is.
     *
     * @param host a name or address; default {@code localhost}
     */
    public void setHost(String host) {
        this.host = host;
    }

    /**
     * Where Redis listens.
     *
     * @param port a port; default 6379
     */
    public void setPort(int port) {
        this.port = port;
    }

    /**
     * The master that sentinels watch; then host and port have no effect.
     *
     * @param master the name that the sentinels know it by; empty without Sentinel
     */
    public void setSentinelMaster(String master) {
        this.sentinelMaster = master;
    }

    /**
     * Where the sentinels are.
     *
     * @param nodes addresses such as {@code r1:26379,r2:26379}
     */
    public void setSentinelNodes(String nodes) {
        this.sentinelNodes = nodes;
    }

    /**
     * What one logs in at the sentinels with.
     *
     * @param password the password; empty for none
     */
    public void setSentinelPassword(String password) {
        this.sentinelPassword = password;
    }

    /**
     * A Redis Cluster; then host, port and database have no effect.
     *
     * @param nodes addresses of some of its nodes, such as {@code r1:7000,r2:7000}; empty without a cluster
     */
    public void setClusterNodes(String nodes) {
        this.clusterNodes = nodes;
    }

    /**
     * Which database holds the locks.
     *
     * @param database zero or more; default 0
     */
    public void setDatabase(int database) {
        this.database = database;
    }

    /**
     * Who logs in.
     *
     * @param username a user of Redis 6 and newer; blank for the default user
     */
    public void setUsername(String username) {
        this.username = username;
    }

    /**
     * What the user logs in with.
     *
     * @param password the password; empty for none
     */
    public void setPassword(String password) {
        this.password = password;
    }

    /**
     * Whether to connect by TLS.
     *
     * @param ssl true for TLS; default false
     */
    public void setSsl(boolean ssl) {
        this.ssl = ssl;
    }

    /**
     * How long to wait for a connection to open, and for an answer.
     *
     * @param timeout a duration such as {@code 1s} (default)
     */
    public void setTimeout(String timeout) {
        this.timeout = Durations.parsePositive("timeout", timeout);
    }

    /**
     * How connections are pooled.
     *
     * @param poolConfig a {@code JedisPoolConfig}; declared as an object, so that this class loads without Jedis
     */
    public void setPoolConfig(Object poolConfig) {
        this.poolConfig = poolConfig;
    }

    @Override
    public void setBeanFactory(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void setBeanName(String name) {
        this.name = name;
    }

    /**
     * The connection factory; made at the first call, since Spring makes the factory bean itself for any look-up by type.
     *
     * @return always the same one
     * @throws IllegalStateException if there is no bean of the given name, or no Jedis that fits
     */
    @Override
    public synchronized RedisConnectionFactory getObject() {
        if (product == null) {
            product = connectionFactory.isEmpty() ? make() : hosts();
        }
        return product;
    }

    @Override
    public Class<?> getObjectType() {
        return RedisConnectionFactory.class;
    }

    @Override
    public synchronized void destroy() throws Exception {
        if (own != null) {
            own.destroy();
        }
    }

    /**
     * Tells whether a connection factory leads to a Redis Cluster, where {@code WATCH} is refused.
     *
     * @param connectionFactory any factory; an object, so that callers need not know Spring Data
     * @return true if it is certain
     */
    public static boolean isCluster(Object connectionFactory) {
        PropertyAccessor properties = PropertyAccessorFactory.forBeanPropertyAccess(connectionFactory);
        for (String property : new String[] {"redisClusterAware", "clusterAware"}) {
            if (properties.isReadableProperty(property)) {
                return Boolean.TRUE.equals(properties.getPropertyValue(property));
            }
        }
        return false;
    }

    private RedisConnectionFactory make() {
        if (!ClassUtils.isPresent("redis.clients.jedis.Jedis", RedisConnectionFactory.class.getClassLoader())) {
            throw new IllegalStateException("Jedis is not on the class path and '" + PROPERTY
                    + "' names no connection factory of yours; add redis.clients:jedis or set that property");
        }
        requireFittingJedis();
        try {
            RedisConnectionFactory made = PooledJedis.make(
                    new PooledJedis.Servers(host, port, database, sentinelMaster, sentinelNodes, clusterNodes),
                    new PooledJedis.Login(username, password, sentinelPassword),
                    ssl,
                    timeout,
                    poolConfig);
            own = (DisposableBean) made;
            return made;
        } catch (LinkageError e) {
            throw new IllegalStateException(
                    "Connections can't be made by " + JedisVersions.found() + " (" + e
                            + "); take the version of redis.clients:jedis that this Spring Data Redis was built with",
                    e);
        }
    }

    private RedisConnectionFactory hosts() {
        if (connectionFactory.equals(name)) {
            throw wrongName("is this bean itself; name a connection factory of yours");
        }
        if (!beans.containsBean(connectionFactory)) {
            throw wrongName("names no bean; " + choice());
        }
        if (!beans.isTypeMatch(connectionFactory, RedisConnectionFactory.class)) {
            Class<?> type = beans.getType(connectionFactory);
            throw wrongName("is a " + (type == null ? "bean of unknown type" : type.getName())
                    + ", not a RedisConnectionFactory; " + choice());
        }
        RedisConnectionFactory found = beans.getBean(connectionFactory, RedisConnectionFactory.class);
        if (found.getClass().getName().endsWith(".JedisConnectionFactory")) {
            requireFittingJedis();
        }
        if (beans instanceof ConfigurableBeanFactory) {
            ((ConfigurableBeanFactory) beans).registerDependentBean(connectionFactory, name);
        }
        return found;
    }

    private static void requireFittingJedis() {
        JedisVersions.problem().ifPresent(problem -> {
            throw new IllegalStateException(problem);
        });
    }

    private String choice() {
        String[] names = beans instanceof ListableBeanFactory
                ? BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                        (ListableBeanFactory) beans, RedisConnectionFactory.class, true, false)
                : new String[0];
        String[] others =
                Arrays.stream(names).filter(other -> !other.equals(name)).toArray(String[]::new);
        return others.length == 0
                ? "there is no RedisConnectionFactory bean here, leave it out or declare one"
                : "RedisConnectionFactory beans here: " + String.join(", ", others);
    }

    private IllegalStateException wrongName(String ruleAndWayOut) {
        return new IllegalStateException("'" + PROPERTY + "' = '" + connectionFactory + "' " + ruleAndWayOut);
    }
}
