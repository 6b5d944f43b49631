package dev.joblock.scheduling;

import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.Slot;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.scheduling.support.ScheduledMethodRunnable;
import org.springframework.util.ReflectionUtils;

/**
 * A scheduled task under its guard. What the task throws goes through to the scheduler unchanged; nothing else does.
 * Thread-safe.
 */
final class GuardedTask implements SchedulingAwareRunnable {

    private final TaskGuard guard;
    private final LockedCalls calls;
    private final Runnable work;
    private final TaskName name;
    private final String lane;
    private final TaskSchedule schedule;
    private final @Nullable LockedMethod annotated;

    GuardedTask(
            TaskGuard guard,
            Runnable work,
            TaskName name,
            String lane,
            TaskSchedule schedule,
            @Nullable LockedMethod annotated) {
        this.guard = guard;
        this.calls = new LockedCalls(guard.log());
        this.work = work;
        this.name = name;
        this.lane = lane;
        this.schedule = schedule;
        this.annotated = annotated;
    }

    @Override
    public void run() {
        // Taken before all else: the trigger gives one for each run.
        Slot slot = schedule.take();
        if (guard.isClosing()) {
            guard.log().closing(name.job());
            return;
        }
        try {
            calls.call(
                    guard::service,
                    name.job(),
                    () -> jobRun(slot),
                    guard.isDryRun(),
                    schedule.toString(),
                    guard.late(),
                    this::work,
                    () -> null);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }

    private JobRun jobRun(@Nullable Slot slot) {
        String job = annotated == null ? name.job() : annotated.job(owner(), new Object[0]);
        JobRun run = schedule.run(job, lane, slot, minInterval(job));
        return annotated == null ? run : run.withPolicy(annotated.policy());
    }

    private Object owner() {
        ScheduledMethodRunnable target = name.target();
        return target == null ? work : target.getTarget();
    }

    private Optional<Duration> minInterval(String job) {
        return guard.policies().policyFor(job).minInterval();
    }

    /** Spring's own Runnable drops what the method returns; where that says when the work ends, the method is called here. */
    private @Nullable Object work() throws Throwable {
        ScheduledMethodRunnable target = name.target();
        if (target == null || !endsLater(target.getMethod())) {
            work.run();
            return null;
        }
        try {
            ReflectionUtils.makeAccessible(target.getMethod());
            return target.getMethod().invoke(target.getTarget());
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private static boolean endsLater(Method method) {
        return CompletionStage.class.isAssignableFrom(method.getReturnType())
                || Future.class.isAssignableFrom(method.getReturnType());
    }

    /** Of Spring 5 and 6. */
    @Override
    public boolean isLongLived() {
        return work instanceof SchedulingAwareRunnable && ((SchedulingAwareRunnable) work).isLongLived();
    }

    /** Of Spring 6.1 and newer: on which scheduler the task runs. */
    public @Nullable String getQualifier() {
        return Qualifiers.of(work);
    }

    @Override
    public String toString() {
        return work.toString();
    }

    String lane() {
        return lane;
    }

    /** By which rule runs are granted, for the table at start: slot, interval or exclusive. */
    String rule() {
        return schedule.rule(minInterval(name.job()));
    }

    /** The policy for the table at start; the one of a job whose name is known at a run only is not in it. */
    JobLockPolicy policy() {
        JobRun run = JobRun.exclusive(name.job());
        return guard.policies().policyFor(annotated == null ? run : run.withPolicy(annotated.policy()));
    }
}
