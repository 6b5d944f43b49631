package dev.joblock.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Every property that users may write, with its default, its name in hand-written solutions and its rule. */
enum Setting {
    ENABLED("joblock.enabled", null, "true", Rules::bool),
    DRY_RUN("joblock.dry-run", null, "false", Rules::bool),
    STRICT("joblock.strict", null, "false", Rules::bool),
    NODE_ID("joblock.node-id", null, "", Rules::nodeId),
    QUARTZ_JOBS("joblock.quartz.jobs", null, "", Rules::patterns),
    SCHEDULING_TASKS("joblock.scheduling.tasks", null, "", Rules::patterns),
    BATCH_JOBS("joblock.batch.jobs", null, "", Rules::patterns),
    BATCH_EXCLUSIVE("joblock.batch.exclusive", null, "parameters", Rules::exclusive),
    BATCH_SLOT_PARAMETER("joblock.batch.slot-parameter", null, "false", Rules::bool),
    BATCH_RECOVER("joblock.batch.recover", null, "false", Rules::bool),
    MODE("joblock.mode", null, "hash-timestamp", Rules::mode),
    LEASE("joblock.lease", null, "30s", Rules::duration),
    MAX_HOLD("joblock.max-hold", null, "24h", Rules::duration),
    RETRY("joblock.retry", null, "0s", Rules::durationOrZero),
    RERUN("joblock.rerun", null, "false", Rules::bool),
    WHEN_STORE_DOWN("joblock.when-store-down", null, "skip", Rules::storeDownRule),
    INTERRUPT_ON_LOSS("joblock.interrupt-on-loss", null, "false", Rules::bool),
    ASK_BUDGET("joblock.ask-budget", null, "1s", Rules::duration),
    PREFIX("joblock.prefix", null, "joblock:", Rules::prefix),
    REPLICAS("joblock.replicas", null, "0", Rules::replicas),
    REPLICA_TIMEOUT("joblock.replica-timeout", null, "500ms", Rules::duration),
    HISTORY_ENABLED("joblock.history.enabled", null, "true", Rules::bool),
    HISTORY_MAX_ENTRIES("joblock.history.max-entries", null, "10000", Rules::maxEntries),
    HISTORY_MAX_AGE("joblock.history.max-age", null, "30d", Rules::duration),
    ALARM_TOLERANCE("joblock.alarm.tolerance", null, "5m", Rules::duration),
    ALARM_FAILURES("joblock.alarm.failures", null, "3", Rules::alarmFailures),

    REDIS_CONNECTION_FACTORY("joblock.redis.connection-factory", null, "", Rules::text),
    REDIS_HOST("joblock.redis.host", "redis.hostName", "localhost", Rules::required),
    REDIS_PORT("joblock.redis.port", "redis.port", "6379", Rules::port),
    REDIS_SENTINEL_MASTER("joblock.redis.sentinel.master", null, "", Rules::text),
    REDIS_SENTINEL_NODES("joblock.redis.sentinel.nodes", null, "", Rules::nodes),
    REDIS_SENTINEL_PASSWORD("joblock.redis.sentinel.password", null, "", Rules::secret),
    REDIS_CLUSTER_NODES("joblock.redis.cluster.nodes", null, "", Rules::nodes),
    REDIS_DATABASE("joblock.redis.database", "redis.dbIndex", "0", Rules::database),
    REDIS_USERNAME("joblock.redis.username", null, "", Rules::text),
    REDIS_PASSWORD("joblock.redis.password", "redis.password", "", Rules::secret),
    REDIS_SSL("joblock.redis.ssl", null, "false", Rules::bool),
    REDIS_TIMEOUT("joblock.redis.timeout", "redis.timeout", "1s", Rules::duration),
    REDIS_MAX_TOTAL("joblock.redis.pool.max-total", "redis.maxActive", "8", Rules::maxTotal),
    REDIS_MAX_IDLE("joblock.redis.pool.max-idle", "redis.maxIdle", "8", Rules::maxIdle),
    REDIS_MAX_WAIT("joblock.redis.pool.max-wait", "redis.maxWait", "1s", Rules::duration),
    REDIS_TEST_ON_BORROW("joblock.redis.pool.test-on-borrow", "redis.testOnBorrow", "false", Rules::bool);

    static final List<Setting> ALL = Arrays.asList(values());

    /** Checks a value and gives it the one form in which it is used, or throws a sentence. */
    interface Rule {
        String check(Setting setting, Found found);
    }

    private final String key;
    private final @Nullable String handWrittenName;
    private final String defaultText;
    // References to static methods.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Rule rule;

    Setting(String key, @Nullable String handWrittenName, String defaultText, Rule rule) {
        this.key = key;
        this.handWrittenName = handWrittenName;
        this.defaultText = defaultText;
        this.rule = rule;
    }

    String key() {
        return key;
    }

    /** The name in the property files of hand-written solutions, whose numbers are milliseconds. */
    @Nullable
    String handWrittenName() {
        return handWrittenName;
    }

    String defaultText() {
        return defaultText;
    }

    String check(Found found) {
        return rule.check(this, found);
    }

    boolean isRedis() {
        return key.startsWith("joblock.redis.") && this != REDIS_CONNECTION_FACTORY;
    }

    /** What to show of a value. */
    String shown(String value) {
        return isSecret() && !value.isEmpty() ? "****" : value;
    }

    boolean isSecret() {
        return this == REDIS_PASSWORD || this == REDIS_SENTINEL_PASSWORD;
    }

    /** The name under which an environment variable sets this. */
    String variable() {
        return key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }
}
