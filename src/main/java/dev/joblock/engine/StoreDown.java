package dev.joblock.engine;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobRun;
import dev.joblock.StoreDownRule;
import dev.joblock.StoreFault;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a run goes on without lock while the store is down, and warns of it once a minute and job. Thread-safe.
 */
final class StoreDown {

    private static final Logger LOG = LoggerFactory.getLogger(StoreDown.class);
    private static final long PERIOD = TimeUnit.MINUTES.toNanos(1);
    private static final int MOST = 1_000;
    /** With these the store is up, and refuses for a reason. */
    private static final Set<StoreFault> UP =
            EnumSet.of(StoreFault.CLOSED, StoreFault.FOREIGN_VALUE, StoreFault.UNKNOWN_LAYOUT);

    private final JobLockPolicies policies;
    private final Time time;
    private final Map<String, Long> told = new LinkedHashMap<String, Long>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST;
        }
    };

    StoreDown(JobLockPolicies policies, Time time) {
        this.policies = policies;
        this.time = time;
    }

    /** The denial, marked where the run goes on. */
    Denied decide(JobRun run, Denied denied) {
        if (denied.reason() != DenialReason.STORE_DOWN
                || UP.contains(denied.fault().orElse(StoreFault.OTHER))
                || policies.policyFor(run).whenStoreDown() != StoreDownRule.RUN) {
            return denied;
        }
        if (isFirst(run.job())) {
            LOG.warn(
                    "{} runs without lock, here and on every node that it fires on, as its policy says: {}",
                    run,
                    denied);
        } else {
            LOG.debug("{} runs without lock: {}", run, denied);
        }
        return denied.withRunWithoutLock();
    }

    private boolean isFirst(String job) {
        long now = time.nanos();
        synchronized (told) {
            Long last = told.get(job);
            if (last != null && now - last < PERIOD) {
                return false;
            }
            told.remove(job);
            told.put(job, now);
            return true;
        }
    }
}
