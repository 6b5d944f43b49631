package dev.joblock.scheduling;

import dev.joblock.JobLockException;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.RegisteredJob;
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
        call(() -> jobRun(slot), guard.late());
    }

    /**
     * Has the scheduler run the task once, now, besides its schedule: it and other runs exclude one another, and no lane is
     * touched.
     *
     * @param by who asks
     * @throws JobLockException with the reason if it can't be
     */
    void startNow(String by) {
        LateTasks scheduler = guard.late();
        if (scheduler == null) {
            throw new JobLockException("the guard of this task is no bean");
        }
        scheduler.startNow(() -> {
            if (guard.isClosing()) {
                guard.log().closing(name.job());
                return;
            }
            call(() -> withPolicy(JobRun.exclusive(runJob()).askedBy(by)), null);
        });
    }

    private void call(LockedCalls.Runs runs, @Nullable LateTasks late) {
        try {
            calls.call(
                    guard::service,
                    name.job(),
                    runs,
                    guard.isDryRun(),
                    schedule.toString(),
                    late,
                    this::work,
                    () -> null);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }

    private JobRun jobRun(@Nullable Slot slot) {
        String job = runJob();
        return withPolicy(schedule.run(job, lane, slot, minInterval(job)));
    }

    private String runJob() {
        return annotated == null ? name.job() : annotated.job(owner(), new Object[0]);
    }

    private JobRun withPolicy(JobRun run) {
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
        return guard.policies().policyFor(withPolicy(JobRun.exclusive(name.job())));
    }

    /** Whether guarding is on, so that this is what the scheduler runs. */
    boolean isInForce() {
        return guard.isEnabled();
    }

    /** The name under which its runs are recorded, where that is known before a run; else the task's own. */
    String job() {
        String fixed = annotated == null ? null : annotated.fixedJob();
        return fixed == null ? name.job() : fixed;
    }

    /** The task as a node has it. Of one whose job is known at a run only nobody can tell whether a slot was missed. */
    RegisteredJob registered() {
        boolean known = annotated == null || annotated.fixedJob() != null;
        return new RegisteredJob(
                job(),
                guard.policies()
                        .policyFor(withPolicy(JobRun.exclusive(job())))
                        .lockName()
                        .orElse(job()),
                lane.substring(name.job().length() + 1),
                schedule.withoutZone(),
                schedule.zone(),
                true,
                known ? schedule.nextFire() : null,
                known ? schedule.previousFire() : null);
    }
}
