package dev.joblock.config;

/**
 * The settings {@code joblock.redis.*}: where Redis is and how many connections there may be. Of no effect where the host
 * gives its own connection factory. Immutable and thread-safe.
 */
public final class JobLockRedisSettings {

    private final SettingsTable table;

    JobLockRedisSettings(SettingsTable table) {
        this.table = table;
    }

    /**
     * {@code joblock.redis.connection-factory}.
     *
     * @return the name of the host's bean; empty if Joblock makes its own connections
     */
    public String getConnectionFactory() {
        return table.text(Setting.REDIS_CONNECTION_FACTORY);
    }

    /**
     * {@code joblock.redis.host}, else {@code redis.hostName}.
     *
     * @return a host name or address
     */
    public String getHost() {
        return table.text(Setting.REDIS_HOST);
    }

    /**
     * {@code joblock.redis.port}, else {@code redis.port}.
     *
     * @return a port
     */
    public int getPort() {
        return Integer.parseInt(table.text(Setting.REDIS_PORT));
    }

    /**
     * {@code joblock.redis.sentinel.master}.
     *
     * @return the name under which sentinels watch the master; empty without Sentinel
     */
    public String getSentinelMaster() {
        return table.text(Setting.REDIS_SENTINEL_MASTER);
    }

    /**
     * {@code joblock.redis.sentinel.nodes}.
     *
     * @return where the sentinels are, as {@code host:port,host:port}; empty without Sentinel
     */
    public String getSentinelNodes() {
        return table.text(Setting.REDIS_SENTINEL_NODES);
    }

    /**
     * {@code joblock.redis.sentinel.password}.
     *
     * @return the password of the sentinels themselves; empty for none
     */
    public String getSentinelPassword() {
        return table.text(Setting.REDIS_SENTINEL_PASSWORD);
    }

    /**
     * {@code joblock.redis.cluster.nodes}.
     *
     * @return some nodes of a Redis Cluster, as {@code host:port,host:port}; empty without a cluster
     */
    public String getClusterNodes() {
        return table.text(Setting.REDIS_CLUSTER_NODES);
    }

    /**
     * {@code joblock.redis.database}, else {@code redis.dbIndex}.
     *
     * @return zero or more
     */
    public int getDatabase() {
        return Integer.parseInt(table.text(Setting.REDIS_DATABASE));
    }

    /**
     * {@code joblock.redis.username}.
     *
     * @return the user's name; empty for the default user
     */
    public String getUsername() {
        return table.text(Setting.REDIS_USERNAME);
    }

    /**
     * {@code joblock.redis.password}, else {@code redis.password}.
     *
     * @return the password; empty for none
     */
    public String getPassword() {
        return table.text(Setting.REDIS_PASSWORD);
    }

    /**
     * {@code joblock.redis.ssl}.
     *
     * @return true to connect by TLS
     */
    public boolean isSsl() {
        return table.isTrue(Setting.REDIS_SSL);
    }

    /**
     * {@code joblock.redis.timeout}, else {@code redis.timeout} in milliseconds; at most the ask budget.
     *
     * @return how long to wait for a connection to open and for an answer
     */
    public String getTimeout() {
        return table.text(Setting.REDIS_TIMEOUT);
    }

    /**
     * {@code joblock.redis.pool.max-total}, else {@code redis.maxActive}.
     *
     * @return the greatest number of connections; -1 for no limit
     */
    public int getMaxTotal() {
        return Integer.parseInt(table.text(Setting.REDIS_MAX_TOTAL));
    }

    /**
     * {@code joblock.redis.pool.max-idle}, else {@code redis.maxIdle}.
     *
     * @return the greatest number of connections that are kept; -1 for no limit
     */
    public int getMaxIdle() {
        return Integer.parseInt(table.text(Setting.REDIS_MAX_IDLE));
    }

    /**
     * {@code joblock.redis.pool.max-wait}, else {@code redis.maxWait} in milliseconds; at most the ask budget.
     *
     * @return how long to wait for a free connection, in milliseconds
     */
    public long getMaxWaitMillis() {
        return table.duration(Setting.REDIS_MAX_WAIT).toMillis();
    }

    /**
     * {@code joblock.redis.pool.test-on-borrow}, else {@code redis.testOnBorrow}.
     *
     * @return true to send a PING before each use of a connection
     */
    public boolean isTestOnBorrow() {
        return table.isTrue(Setting.REDIS_TEST_ON_BORROW);
    }
}
