package dev.joblock.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/**
 * The settings of Joblock in one application. The import files read them as {@code #{joblockSettings.lease}}, so that they
 * hold no placeholder of their own.
 *
 * <p>A value is looked for in this bean's {@link #setProperties properties}, then in the host's placeholders, the
 * environment and {@code joblock.properties} on the class path; else it is the default. Where a {@code joblock.redis.} name
 * is not set, the name of hand-written solutions is read ({@code redis.hostName} and so on). A wrong value ends the start
 * with a sentence; every effective value is logged once, with its origin.
 *
 * <p>Durations are returned as users write them, such as {@code 30s}. Immutable once the context has set it up; then safe
 * for many threads.
 */
public class JobLockSettings implements ApplicationContextAware, InitializingBean {

    private static final Logger LOG = LoggerFactory.getLogger(JobLockSettings.class);

    private Properties properties = new Properties();

    @SuppressWarnings("NullAway.Init")
    private ApplicationContext context;

    @SuppressWarnings("NullAway.Init")
    private SettingsTable table;

    /** Settings that are read when the context sets this bean up. */
    public JobLockSettings() {}

    /**
     * Values that go before all others.
     *
     * @param properties names such as {@code joblock.lease} with their values
     */
    public void setProperties(Properties properties) {
        this.properties = properties;
    }

    @Override
    public void setApplicationContext(ApplicationContext context) {
        this.context = context;
    }

    @Override
    public void afterPropertiesSet() {
        HostPlaceholders host = new HostPlaceholders(context.getAutowireCapableBeanFactory());
        SettingsReader reader = new SettingsReader(properties, host, context.getEnvironment(), file());
        table = SettingsTable.read(reader);
        String application = getApplicationName();
        if (getNodeId().isEmpty()) {
            table.makeUp(Setting.NODE_ID, NodeId.make(application));
        }
        LOG.info("Joblock settings:{}", table.describe());
        UnknownNames.warn(reader.listed());
        if (!isEnabled()) {
            LOG.warn("'{}' is false: no job is guarded, each runs on every node", Setting.ENABLED.key());
        }
        if (!table.isSet(Setting.PREFIX) && application.isEmpty()) {
            LOG.warn(
                    "'{}' is left at '{}' and this application has no name: it shares its locks with every other such"
                            + " application on the same Redis; set the prefix, for example to 'shop:joblock:'",
                    Setting.PREFIX.key(),
                    getPrefix());
        }
    }

    /**
     * {@code joblock.enabled}.
     *
     * @return false if no job is guarded and Redis is asked nothing
     */
    public boolean isEnabled() {
        return table.isTrue(Setting.ENABLED);
    }

    /**
     * {@code joblock.dry-run}.
     *
     * @return true if locks are asked for and logged, and no job is held back
     */
    public boolean isDryRun() {
        return table.isTrue(Setting.DRY_RUN);
    }

    /**
     * {@code joblock.strict}.
     *
     * @return true if a pattern that matches no job ends the start
     */
    public boolean isStrict() {
        return table.isTrue(Setting.STRICT);
    }

    /**
     * {@code joblock.node-id}.
     *
     * @return the id of this node; made up anew at each start unless it is set
     */
    public String getNodeId() {
        return table.text(Setting.NODE_ID);
    }

    /**
     * {@code joblock.quartz.jobs}.
     *
     * @return patterns of Quartz jobs to guard; empty if none are given
     */
    public String getQuartzJobs() {
        return table.text(Setting.QUARTZ_JOBS);
    }

    /**
     * {@code joblock.scheduling.tasks}.
     *
     * @return patterns of Spring tasks to guard; empty if none are given
     */
    public String getSchedulingTasks() {
        return table.text(Setting.SCHEDULING_TASKS);
    }

    /**
     * {@code joblock.batch.jobs}.
     *
     * @return patterns of Spring Batch jobs to guard; empty if none are given
     */
    public String getBatchJobs() {
        return table.text(Setting.BATCH_JOBS);
    }

    /**
     * {@code joblock.batch.exclusive}.
     *
     * @return {@code parameters} or {@code job}
     */
    public String getBatchExclusive() {
        return table.text(Setting.BATCH_EXCLUSIVE);
    }

    /**
     * {@code joblock.batch.slot-parameter}.
     *
     * @return {@code true} if Batch jobs get the slot as identifying parameter
     */
    public String getBatchSlotParameter() {
        return table.text(Setting.BATCH_SLOT_PARAMETER);
    }

    /**
     * {@code joblock.batch.recover}.
     *
     * @return true if a launch recovers the stale execution that is in its way
     */
    public boolean isBatchRecover() {
        return table.isTrue(Setting.BATCH_RECOVER);
    }

    /**
     * {@code joblock.mode}.
     *
     * @return {@code hash-timestamp} or {@code status-time}
     */
    public String getMode() {
        return table.text(Setting.MODE);
    }

    /**
     * {@code joblock.lease}.
     *
     * @return how long a lease lasts without renewal
     */
    public String getLease() {
        return table.text(Setting.LEASE);
    }

    /**
     * {@code joblock.max-hold}.
     *
     * @return how long one run is renewed at the most
     */
    public String getMaxHold() {
        return table.text(Setting.MAX_HOLD);
    }

    /**
     * {@code joblock.retry}.
     *
     * @return for how long a slot is asked for again that was not granted for a passing reason
     */
    public String getRetry() {
        return table.text(Setting.RETRY);
    }

    /**
     * {@code joblock.rerun}.
     *
     * @return {@code true} if a run that its node's death cut short is run again by another node
     */
    public String getRerun() {
        return table.text(Setting.RERUN);
    }

    /**
     * {@code joblock.when-store-down}.
     *
     * @return {@code skip} or {@code run}
     */
    public String getWhenStoreDown() {
        return table.text(Setting.WHEN_STORE_DOWN);
    }

    /**
     * {@code joblock.interrupt-on-loss}.
     *
     * @return {@code true} if the thread of a run is interrupted when its lease is lost
     */
    public String getInterruptOnLoss() {
        return table.text(Setting.INTERRUPT_ON_LOSS);
    }

    /**
     * {@code joblock.ask-budget}.
     *
     * @return how long one ask may take as a whole
     */
    public String getAskBudget() {
        return table.text(Setting.ASK_BUDGET);
    }

    /**
     * {@code joblock.prefix}.
     *
     * @return the first part of every key
     */
    public String getPrefix() {
        return table.text(Setting.PREFIX);
    }

    /**
     * {@code joblock.replicas}.
     *
     * @return how many replicas must have a grant: a number, {@code majority} or {@code all}
     */
    public String getReplicas() {
        return table.text(Setting.REPLICAS);
    }

    /**
     * {@code joblock.replica-timeout}.
     *
     * @return how long replicas are waited for
     */
    public String getReplicaTimeout() {
        return table.text(Setting.REPLICA_TIMEOUT);
    }

    /**
     * {@code joblock.history.enabled}.
     *
     * @return false if no history is kept
     */
    public boolean isHistoryEnabled() {
        return table.isTrue(Setting.HISTORY_ENABLED);
    }

    /**
     * {@code joblock.history.max-entries}.
     *
     * @return how many entries of the history are kept
     */
    public int getHistoryMaxEntries() {
        return Integer.parseInt(table.text(Setting.HISTORY_MAX_ENTRIES));
    }

    /**
     * {@code joblock.history.max-age}.
     *
     * @return how long entries of the history are kept
     */
    public String getHistoryMaxAge() {
        return table.text(Setting.HISTORY_MAX_AGE);
    }

    /**
     * {@code joblock.alarm.tolerance}.
     *
     * @return how late a run may be before its slot counts as missed
     */
    public String getAlarmTolerance() {
        return table.text(Setting.ALARM_TOLERANCE);
    }

    /**
     * {@code joblock.alarm.failures}.
     *
     * @return how many bad ends in a row are an alarm
     */
    public int getAlarmFailures() {
        return Integer.parseInt(table.text(Setting.ALARM_FAILURES));
    }

    /**
     * {@code joblock.redis.*}.
     *
     * @return the settings of the connections
     */
    public JobLockRedisSettings getRedis() {
        return new JobLockRedisSettings(table);
    }

    /**
     * The name of the host.
     *
     * @return the name without its domain
     */
    public String getHost() {
        return NodeId.host();
    }

    /**
     * The path of the web application, also where this is a child of its context.
     *
     * @return for example {@code /shop}; empty if there is none
     */
    public String getApplicationName() {
        for (ApplicationContext it = context; it != null; it = it.getParent()) {
            if (!it.getApplicationName().isEmpty()) {
                return it.getApplicationName();
            }
        }
        return "";
    }

    private Properties file() {
        ClassPathResource resource = new ClassPathResource(SettingsReader.FILE, context.getClassLoader());
        if (!resource.exists()) {
            return new Properties();
        }
        try {
            return PropertiesLoaderUtils.loadProperties(resource);
        } catch (IOException e) {
            throw new UncheckedIOException("'" + SettingsReader.FILE + "' on the class path can't be read", e);
        }
    }
}
