package dev.joblock.batch;

import dev.joblock.JobLock;
import dev.joblock.JobLockException;
import dev.joblock.JobLockService;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.repository.JobRepository;

/**
 * One granted launch, from the call of the launcher to the end of the execution, which may come later and on another
 * thread.
 *
 * <p>States: <em>waiting</em> → <em>running</em> (the job's {@code execute} has begun) → <em>over</em>; from the first also
 * directly, if the job does not begin. The lock is released with the last, and un-claimed where the job has not begun. Thread-safe.
 */
final class Launch {

    private enum State {
        WAITING,
        RUNNING,
        OVER
    }

    private final JobLockService service;
    private final BatchRuns runs;
    private final BatchLog log;
    private final JobLock lock;
    private final @Nullable JobRepository repository;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    Launch(BatchGuard guard, JobLock lock, @Nullable JobRepository repository) {
        this.service = guard.service();
        this.runs = guard.runs();
        this.log = guard.log();
        this.lock = lock;
        this.repository = repository;
    }

    JobLock lock() {
        return lock;
    }

    /** Where its execution is written; null if that is not known. */
    @Nullable
    JobRepository repository() {
        return repository;
    }

    boolean hasBegun() {
        return state.get() != State.WAITING;
    }

    /** Calls the launcher, with the lock as the thread's current run: a guard that stands behind this one joins it. */
    @Nullable
    Object call(LaunchCall call, Object job, Object parameters) throws Throwable {
        service.enter(lock);
        try {
            return call.proceed(GuardedJob.of(job, this), parameters);
        } finally {
            service.leave(lock);
        }
    }

    /** The launcher has returned: the job runs, will run, or has been rejected by the executor and never begins. */
    void returned(@Nullable Object execution) {
        if (execution != null
                && !hasBegun()
                && BatchTypes.get(execution, "status") == BatchStatus.FAILED
                && dropped()) {
            log.rejected(lock, execution);
        }
    }

    /** The job won't begin; false if it has. */
    boolean dropped() {
        boolean waiting = state.compareAndSet(State.WAITING, State.OVER);
        if (waiting) {
            lock.unclaim();
        }
        return waiting;
    }

    /** Runs the job to its end, on the thread that the launcher has chosen. */
    void execute(Object execution, GuardedJob.Body body) throws Throwable {
        if (!state.compareAndSet(State.WAITING, State.RUNNING)) {
            log.unlocked(lock);
            body.run();
            return;
        }
        long id = 0;
        Throwable failure = null;
        service.enter(lock);
        try {
            id = BatchTypes.id(execution);
            runs.add(id, lock);
            lock.started();
            begun(execution);
            body.run();
            failure = failure(execution);
        } catch (Throwable e) {
            failure = e;
            throw e;
        } finally {
            state.set(State.OVER);
            service.leave(lock);
            runs.remove(id, lock);
            boolean held = lock.isHeld();
            lock.release(failure);
            log.ended(lock, id, held, failure);
        }
    }

    private void begun(Object execution) {
        if (!lock.isHeld()) {
            log.startsLate(lock);
        }
        if (repository != null) {
            try {
                Owner.write(repository, execution, lock);
            } catch (RuntimeException e) {
                log.ownerNotWritten(lock, e);
            }
        }
    }

    /** Batch's jobs don't throw: they say in the execution how they ended. */
    private static @Nullable Throwable failure(Object execution) {
        Object status = BatchTypes.get(execution, "status");
        if (status == BatchStatus.COMPLETED || status == BatchStatus.STOPPED) {
            return null;
        }
        List<?> failures = (List<?>) BatchTypes.get(execution, "allFailureExceptions");
        return failures.isEmpty() ? new JobLockException("it ended " + status) : (Throwable) failures.get(0);
    }
}
