package dev.joblock;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the jobs whose names match are locked. A bean for XML: every setter takes a string, what is not set comes from the
 * defaults.
 *
 * <pre>{@code
 * <bean class="dev.joblock.JobLockPolicy" p:jobs="reconcile*" p:lease="2m"/>
 * }</pre>
 *
 * <p>To be set up before the context has started and not changed afterwards; then safe for many threads.
 */
public class JobLockPolicy {

    private JobPatterns jobs = JobPatterns.parse("");
    private @Nullable String lockName;
    private @Nullable LockMode mode;
    private @Nullable Duration lease;
    private @Nullable Duration maxHold;
    private @Nullable Duration minInterval;
    private @Nullable Duration retry;
    private @Nullable Boolean rerun;
    private @Nullable StoreDownRule whenStoreDown;
    private @Nullable Boolean interruptOnLoss;
    private LegacySettings legacy = new LegacySettings();
    private @Nullable LegacyLock legacyLock;
    private @Nullable Boolean jobExclusive;
    private @Nullable Boolean slotParameter;

    /** A policy that matches no job yet. */
    public JobLockPolicy() {}

    /**
     * Which jobs this is for.
     *
     * @param patterns names with commas between them: {@code name}, {@code group.name}, {@code *} wildcards, {@code !}
     *     excludes
     */
    public final void setJobs(String patterns) {
        this.jobs = JobPatterns.parse(patterns);
    }

    /**
     * One lock name for all jobs of this policy, so that they exclude one another. Default: each job's own name.
     *
     * @param lockName the name
     */
    public final void setLockName(String lockName) {
        if (lockName.trim().isEmpty()) {
            throw new IllegalArgumentException(
                    "'lockName' of the policy for '" + jobs + "' is blank; leave it out or give a name");
        }
        this.lockName = lockName;
    }

    /**
     * How the lock is kept.
     *
     * @param mode {@code hash-timestamp} (default), {@code status-time} or {@code token}
     */
    public final void setMode(String mode) {
        this.mode = LockMode.parse("mode", mode);
    }

    /**
     * How long a lease lasts without renewal: what a crash costs. It is renewed every third of it while the job runs.
     *
     * @param lease a duration such as {@code 30s} (default)
     */
    public final void setLease(String lease) {
        this.lease = Durations.parsePositive("lease", lease);
    }

    /**
     * How long one run is renewed at the most, so that a hung job does not hold its lock for ever.
     *
     * @param maxHold a duration such as {@code 24h} (default)
     */
    public final void setMaxHold(String maxHold) {
        this.maxHold = Durations.parsePositive("maxHold", maxHold);
    }

    /**
     * The least time between two starts of triggers that share no slot, in Redis time. Default: the trigger's own
     * interval.
     *
     * @param minInterval a duration such as {@code 5m}
     */
    public final void setMinInterval(String minInterval) {
        this.minInterval = Durations.parsePositive("minInterval", minInterval);
    }

    /**
     * For how long a slot is asked for again that was not granted for a passing reason: held, store down, clock ahead.
     * Granted, it is fired through the scheduler.
     *
     * @param retry a duration such as {@code 5m}; {@code 0s} (default) asks once
     */
    public final void setRetry(String retry) {
        this.retry = Durations.parse("retry", retry);
    }

    /**
     * Whether a slot whose run was cut short by the death of its node is run again by another one: at least once in place
     * of at most once.
     *
     * @param rerun {@code true} or {@code false} (default)
     */
    public final void setRerun(String rerun) {
        this.rerun = flag("rerun", rerun);
    }

    /**
     * What becomes of a fire while the store is down.
     *
     * @param rule {@code skip} (default): it does not run; {@code run}: it runs, on every node that it fires on
     */
    public final void setWhenStoreDown(String rule) {
        this.whenStoreDown = StoreDownRule.parse("whenStoreDown", rule);
    }

    /**
     * Whether the thread of a run is interrupted when its lease is lost.
     *
     * @param interruptOnLoss {@code true} or {@code false} (default)
     */
    public final void setInterruptOnLoss(String interruptOnLoss) {
        this.interruptOnLoss = flag("interruptOnLoss", interruptOnLoss);
    }

    /**
     * The layout of a hand-written lock that nodes of this cluster still use: its fields are written and respected beside ours,
     * while the nodes are upgraded one by one. Needs {@code legacyKey}; not in mode {@code token}, nor on a Redis Cluster.
     *
     * @param layout {@code O2}: one field with the time, or {@code O4}: status and time; default: none
     */
    public final void setLegacy(String layout) {
        legacy.layout = LegacySettings.layout(layout);
    }

    /**
     * The key of the hand-written lock.
     *
     * @param key a key, <code>{job}</code> in it stands for the job's name, such as <code>JOB_{job}</code>
     */
    public final void setLegacyKey(String key) {
        legacy.key = LegacySettings.notBlank("legacyKey", key);
    }

    /**
     * The field, or fields, of the hand-written lock.
     *
     * @param field of O2 one name (default {@code ALL#ALL}), of O4 two with a comma between them (default
     *     {@code status,time})
     */
    public final void setLegacyField(String field) {
        legacy.field = LegacySettings.notBlank("legacyField", field);
    }

    /**
     * O2: after which time the old nodes take a lock for free. Default: the time to the next fire, less 10 ms.
     *
     * @param timeout a duration such as {@code 60s}
     */
    public final void setLegacyTimeout(String timeout) {
        legacy.timeout = Durations.parsePositive("legacyTimeout", timeout);
    }

    /**
     * O4: the interval of the hand-written lock; with {@code legacyIntervalKey} too, the one for where that has none.
     *
     * @param interval a duration such as {@code 5m}
     */
    public final void setLegacyInterval(String interval) {
        legacy.interval = Durations.parsePositive("legacyInterval", interval);
    }

    /**
     * O4: the key of the hash that holds the interval in minutes, read at each ask.
     *
     * @param key a key, <code>{job}</code> in it stands for the job's name
     */
    public final void setLegacyIntervalKey(String key) {
        legacy.intervalKey = LegacySettings.notBlank("legacyIntervalKey", key);
    }

    /**
     * O4: the field of {@code legacyIntervalKey}.
     *
     * @param field the name of a field; default {@code intervaltime}
     */
    public final void setLegacyIntervalField(String field) {
        legacy.intervalField = LegacySettings.notBlank("legacyIntervalField", field);
    }

    /**
     * What of a Spring Batch job excludes one another.
     *
     * @param exclusive {@code parameters} (default): runs with equal identifying parameters; {@code job}: all its runs
     */
    public final void setExclusive(String exclusive) {
        String text = exclusive.trim();
        if (!text.equals("parameters") && !text.equals("job")) {
            throw new IllegalArgumentException("'exclusive' = '" + exclusive
                    + "' is neither 'parameters' nor 'job'; write one of them or leave it out");
        }
        this.jobExclusive = text.equals("job");
    }

    /**
     * Whether a Spring Batch job that is launched in a slot gets the slot as identifying parameter {@code joblock.slot}.
     *
     * @param slotParameter {@code true} or {@code false} (default)
     */
    public final void setSlotParameter(String slotParameter) {
        this.slotParameter = flag("slotParameter", slotParameter);
    }

    /**
     * Which jobs this is for.
     *
     * @return the patterns
     */
    public final JobPatterns jobs() {
        return jobs;
    }

    /**
     * The lock name that the jobs share.
     *
     * @return the name, or empty if each job has its own
     */
    public final Optional<String> lockName() {
        return Optional.ofNullable(lockName);
    }

    /**
     * How the lock is kept.
     *
     * @return the mode
     */
    public final LockMode mode() {
        return mode == null ? LockMode.HASH_TIMESTAMP : mode;
    }

    /**
     * How long a lease lasts without renewal.
     *
     * @return a positive duration
     */
    public final Duration lease() {
        return lease == null ? Duration.ofSeconds(30) : lease;
    }

    /**
     * How long one run is renewed at the most.
     *
     * @return a positive duration
     */
    public final Duration maxHold() {
        return maxHold == null ? Duration.ofHours(24) : maxHold;
    }

    /**
     * The least time between two starts of triggers that share no slot.
     *
     * @return a positive duration, or empty for the trigger's own interval
     */
    public final Optional<Duration> minInterval() {
        return Optional.ofNullable(minInterval);
    }

    /**
     * For how long a slot is asked for again.
     *
     * @return zero if it is asked for once
     */
    public final Duration retry() {
        return retry == null ? Duration.ZERO : retry;
    }

    /**
     * Whether a slot whose run was cut short is run again.
     *
     * @return true for at least once
     */
    public final boolean reruns() {
        return rerun != null && rerun;
    }

    /**
     * What becomes of a fire while the store is down.
     *
     * @return the rule
     */
    public final StoreDownRule whenStoreDown() {
        return whenStoreDown == null ? StoreDownRule.SKIP : whenStoreDown;
    }

    /**
     * Whether the thread of a run is interrupted when its lease is lost.
     *
     * @return true if it is
     */
    public final boolean interruptsOnLoss() {
        return interruptOnLoss != null && interruptOnLoss;
    }

    private static boolean flag(String name, String text) {
        String value = text.trim();
        if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw new IllegalArgumentException(
                    "'" + name + "' = '" + text + "' is neither true nor false; write one of them");
        }
        return value.equalsIgnoreCase("true");
    }

    /**
     * The hand-written lock that is kept beside ours. Known once the policy is one of {@link JobLockPolicies}.
     *
     * @return the lock, or empty if there is none
     */
    public final Optional<LegacyLock> legacy() {
        return Optional.ofNullable(legacyLock);
    }

    /**
     * Whether all runs of a Spring Batch job exclude one another.
     *
     * @return false if only runs with equal identifying parameters do
     */
    public final boolean isJobExclusive() {
        return jobExclusive != null && jobExclusive;
    }

    /**
     * Whether a Spring Batch job that is launched in a slot gets the slot as identifying parameter.
     *
     * @return false by default
     */
    public final boolean hasSlotParameter() {
        return slotParameter != null && slotParameter;
    }

    /**
     * A copy in which what is not set here is taken from the defaults. The patterns and the lock name are this policy's.
     *
     * @param defaults where to take it from
     * @return a new policy
     */
    final JobLockPolicy over(JobLockPolicy defaults) {
        JobLockPolicy full = new JobLockPolicy();
        full.jobs = jobs;
        full.lockName = lockName;
        full.mode = mode == null ? defaults.mode : mode;
        full.lease = lease == null ? defaults.lease : lease;
        full.maxHold = maxHold == null ? defaults.maxHold : maxHold;
        full.minInterval = minInterval == null ? defaults.minInterval : minInterval;
        full.retry = retry == null ? defaults.retry : retry;
        full.rerun = rerun == null ? defaults.rerun : rerun;
        full.whenStoreDown = whenStoreDown == null ? defaults.whenStoreDown : whenStoreDown;
        full.interruptOnLoss = interruptOnLoss == null ? defaults.interruptOnLoss : interruptOnLoss;
        full.jobExclusive = jobExclusive == null ? defaults.jobExclusive : jobExclusive;
        full.slotParameter = slotParameter == null ? defaults.slotParameter : slotParameter;
        if (full.maxHold().compareTo(full.lease()) < 0) {
            throw new IllegalArgumentException("The policy for '" + jobs + "' has maxHold "
                    + Durations.format(full.maxHold()) + ", shorter than its lease " + Durations.format(full.lease())
                    + "; shorten the lease or lengthen maxHold");
        }
        full.legacy = legacy.isSet() ? legacy : defaults.legacy;
        full.legacyLock = full.legacy.lock(full);
        return full;
    }

    @Override
    public String toString() {
        return "policy for '" + jobs + "': " + mode() + ", lease " + Durations.format(lease());
    }
}
