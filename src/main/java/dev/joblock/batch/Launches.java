package dev.joblock.batch;

import dev.joblock.Denied;
import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.LockOutcome;
import dev.joblock.StoreFault;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.repository.JobRepository;

/** Leads one call of a launcher from the ask for its lock to the end. Thread-safe. */
final class Launches {

    /** Whom a launch that holds its lock meets in the repository has another lock, or none; it is soon gone. */
    static final int MOST_TRIES = 10;

    private final BatchGuard guard;

    Launches(BatchGuard guard) {
        this.guard = guard;
    }

    /**
     * Launches a job under its lock, if it is guarded.
     *
     * @throws Throwable what the launcher throws; already running, if the lock is denied or the repository refuses
     */
    @Nullable
    Object launch(Object job, Object parameters, LaunchCall call) throws Throwable {
        String name = BatchTypes.jobName(job);
        if (!guard.guards(name)) {
            return call.proceed(job, parameters);
        }
        boolean slot = guard.policyFor(name).hasSlotParameter();
        String problem = slot ? SlotParameter.problem(job) : null;
        if (problem != null) {
            throw new IllegalStateException(problem);
        }
        JobRepository repository = guard.repository(call.repository());
        Object launched = parameters;
        String lockName = name;
        LockOutcome outcome;
        try {
            launched = slot ? SlotParameter.add(job, parameters, guard.service(), repository) : parameters;
            JobRun run = guard.run(name, launched);
            lockName = guard.lockName(run);
            outcome = guard.service().tryLock(run);
        } catch (RuntimeException e) {
            guard.log().failed(name, e);
            outcome = Denied.storeDown(StoreFault.OTHER, "Joblock failed: " + e);
        }
        if (outcome instanceof Granted) {
            JobLock lock = ((Granted) outcome).lock();
            lock.keep();
            return perform(new Launch(guard, lock, repository), job, launched, call);
        }
        Denied denied = (Denied) outcome;
        boolean unlocked = denied.isRunWithoutLock();
        guard.log().denied(lockName, denied, guard.isDryRun(), unlocked);
        if (!guard.isDryRun() && !unlocked) {
            throw BatchTypes.alreadyRunning("'" + lockName + "' is not launched: " + outcome, null);
        }
        return call.proceed(job, launched);
    }

    private @Nullable Object perform(Launch launch, Object job, Object parameters, LaunchCall call) throws Throwable {
        for (int tries = 1; ; tries++) {
            try {
                Object execution = launch.call(call, job, parameters);
                launch.returned(execution);
                return execution;
            } catch (Throwable thrown) {
                if (launch.hasBegun()) {
                    throw thrown;
                }
                Throwable refusal = refusal(launch, job, parameters, thrown, tries < MOST_TRIES);
                if (refusal != null) {
                    launch.dropped();
                    throw refusal;
                }
            }
        }
    }

    /** What a launch that did not begin ends with; null if it is to be tried again, with the lock still held. */
    private @Nullable Throwable refusal(
            Launch launch, Object job, Object parameters, Throwable thrown, boolean mayTryAgain) {
        String lockName = launch.lock().lockName();
        try {
            if (Collisions.isCollision(thrown)) {
                if (mayTryAgain) {
                    return null;
                }
                guard.log().collided(launch.lock(), thrown);
                return BatchTypes.alreadyRunning(
                        "'" + lockName + "' is not launched: another launch came first in the job repository", thrown);
            }
            Object execution = BatchTypes.isAlreadyRunning(thrown) && launch.repository() != null
                    ? Executions.lastUnfinished(launch.repository(), BatchTypes.jobName(job), parameters)
                    : null;
            if (execution == null) {
                return thrown;
            }
            String finding = finding(launch, BatchTypes.jobName(job), execution, mayTryAgain);
            return finding == null
                    ? null
                    : BatchTypes.alreadyRunning("'" + lockName + "' is not launched: " + finding, thrown);
        } catch (RuntimeException | Error e) {
            guard.log().unclear(launch.lock(), e);
            return thrown;
        }
    }

    /** What stands in the way of a launch though it holds the lock; null if that is cleared away. */
    private @Nullable String finding(Launch launch, String job, Object execution, boolean mayTryAgain) {
        JobLock lock = launch.lock();
        long id = BatchTypes.id(execution);
        String finding;
        if (guard.runs().find(id).isPresent()) {
            finding = "execution " + id + " still runs on this node, though its lease was lost";
        } else {
            StaleExecution stale = StaleExecution.of(execution, job, lock.lockName(), lock.since());
            if (!stale.isOwnerless()) {
                finding = stale + "; it was not launched under this lock, so that it may be at work; if it is not, call"
                        + " recover(" + id + ") of the bean 'joblockBatchRecovery'";
            } else if (guard.recovers() && mayTryAgain && launch.repository() != null) {
                Executions.fail(launch.repository(), execution, lock.since());
                guard.log().recovered(stale);
                return null;
            } else {
                finding = stale + "; call recover(" + id
                        + ") of the bean 'joblockBatchRecovery', or set 'joblock.batch.recover' to true";
            }
        }
        guard.log().standsInTheWay(lock, finding);
        return finding;
    }
}
