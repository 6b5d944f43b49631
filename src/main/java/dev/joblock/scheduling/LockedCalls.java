package dev.joblock.scheduling;

import dev.joblock.Denied;
import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.LockOutcome;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs work under its lock, from the ask to the release. What the work throws goes through unchanged; what goes wrong in the
 * kit is logged, and the work not run. Thread-safe.
 */
final class LockedCalls {

    private final FireLog log;

    LockedCalls(FireLog log) {
        this.log = log;
    }

    /** The work. */
    interface Body {
        @Nullable
        Object call() throws Throwable;
    }

    /** The run that a call asks for; fails with a sentence where it can't be told. */
    interface Runs {
        JobRun get();
    }

    /** As the other, asked for once. */
    @Nullable
    Object call(
            Supplier<JobLockService> services,
            String job,
            Runs runs,
            boolean dryRun,
            @Nullable String schedule,
            Body body,
            Supplier<@Nullable Object> denied)
            throws Throwable {
        return call(services, job, runs, dryRun, schedule, null, body, denied);
    }

    /**
     * Runs the work if it gets its lock, or the policy has it run without one while the store is down. The lock is held until a {@code CompletionStage} or {@code Future} that the work
     * returns is done.
     *
     * @param job a name for the log, where the run can't be told
     * @param dryRun whether the work is run without a lock where that is denied
     * @param schedule the schedule that the run comes from, if it has one
     * @param late who starts the work if it is denied now and granted later; null if it is then not asked for again
     * @param denied what is returned where the work is not run
     */
    @Nullable
    Object call(
            Supplier<JobLockService> services,
            String job,
            Runs runs,
            boolean dryRun,
            @Nullable String schedule,
            @Nullable LateTasks late,
            Body body,
            Supplier<@Nullable Object> denied)
            throws Throwable {
        JobLockService service = null;
        JobLock lock = null;
        boolean withoutLock = dryRun;
        try {
            service = services.get();
            JobRun run = runs.get();
            LockOutcome outcome = service.tryLock(run);
            if (outcome instanceof Granted) {
                lock = ((Granted) outcome).lock();
            } else if (((Denied) outcome).isRunWithoutLock()) {
                withoutLock = true;
            } else {
                boolean again = !dryRun && late != null && askAgain(service, run, (Denied) outcome, late, body);
                log.denied(run, (Denied) outcome, dryRun, schedule, again);
            }
        } catch (RuntimeException | Error e) {
            log.unexpected(job, dryRun ? "it runs without its lock, since this is a dry run" : "it is not run", e);
        }
        if (service == null || lock == null) {
            return withoutLock ? body.call() : denied.get();
        }
        return under(service, lock, body);
    }

    private boolean askAgain(JobLockService service, JobRun run, Denied denied, LateTasks late, Body body) {
        return late.isPossible()
                && service.askAgain(run, denied, grant -> late.start(grant, lock -> underLate(service, lock, body)));
    }

    /** What the work throws goes to the scheduler that runs it. */
    private void underLate(JobLockService service, JobLock lock, Body body) {
        try {
            Object unused = under(service, lock, body);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }

    private @Nullable Object under(JobLockService service, JobLock lock, Body body) throws Throwable {
        long start = System.nanoTime();
        Throwable failure = null;
        Object result = null;
        service.enter(lock);
        try {
            lock.started();
            result = body.call();
        } catch (Throwable e) {
            failure = e;
            throw e;
        } finally {
            service.leave(lock);
            if (result instanceof CompletionStage) {
                endWith((CompletionStage<?>) result, lock, start);
            } else {
                Throwable late = result instanceof Future ? await((Future<?>) result) : null;
                end(lock, start, failure == null ? late : failure);
            }
        }
        return result;
    }

    private void endWith(CompletionStage<?> stage, JobLock lock, long start) {
        try {
            // The stage that this gives has nobody to listen to it.
            Object unused = stage.whenComplete((value, failure) -> end(lock, start, cause(failure)));
        } catch (RuntimeException | Error e) {
            log.unexpected(lock.run().job(), "the end of its work can't be heard of, so its lock ends now", e);
            end(lock, start, null);
        }
    }

    /** Waits until the work has ended, whatever happens: the lock must not end before it. An interrupt is kept. */
    private static @Nullable Throwable await(Future<?> future) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    future.get();
                    return null;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    return e.getCause();
                } catch (RuntimeException | Error e) {
                    return e;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static @Nullable Throwable cause(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private void end(JobLock lock, long start, @Nullable Throwable failure) {
        try {
            boolean held = lock.isHeld();
            lock.release(failure);
            log.ended(lock, held, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start), failure);
        } catch (RuntimeException e) {
            log.unexpected(lock.run().job(), "its lock ends with its lease", e);
        }
    }
}
