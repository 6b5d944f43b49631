package dev.joblock.engine;

import dev.joblock.Denied;
import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LockMode;
import dev.joblock.LockOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A service whose clocks, threads and store are in the hands of a test. The lease is 30 s. */
final class ManualEngine implements AutoCloseable {
    static final Duration BUDGET = Duration.ofMillis(100);

    final ManualTime time = new ManualTime();
    final ManualThreads threads = new ManualThreads(time);
    final ScriptedStore store = new ScriptedStore();
    final RecordedEvents events = new RecordedEvents();
    final EngineLogs logs = new EngineLogs();
    final DefaultJobLockService service;

    ManualEngine(JobLockPolicy... policies) {
        this(List.of(), policies);
    }

    ManualEngine(List<JobLockListener> before, JobLockPolicy... policies) {
        List<JobLockListener> listeners = new ArrayList<>(before);
        listeners.add(events);
        service = new DefaultJobLockService(
                "n1",
                BUDGET,
                Map.of(LockMode.HASH_TIMESTAMP, store),
                new JobLockPolicies(new JobLockPolicy(), List.of(policies)),
                listeners,
                time,
                threads);
    }

    static JobLockPolicy policy(String jobs) {
        JobLockPolicy policy = new JobLockPolicy();
        policy.setJobs(jobs);
        return policy;
    }

    JobLock grant(String job) {
        return grant(JobRun.exclusive(job));
    }

    JobLock grant(JobRun run) {
        return granted(service.tryLock(run));
    }

    static JobLock granted(LockOutcome outcome) {
        if (outcome instanceof Granted granted) {
            return granted.lock();
        }
        throw new AssertionError("not granted: " + outcome);
    }

    static Denied denied(LockOutcome outcome) {
        if (outcome instanceof Denied denied) {
            return denied;
        }
        throw new AssertionError("not denied: " + outcome);
    }

    void pass(Duration duration) {
        threads.pass(duration);
    }

    void passSeconds(long seconds) {
        pass(Duration.ofSeconds(seconds));
    }

    @Override
    public void close() {
        logs.close();
    }
}
