package dev.joblock.scheduling;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.scheduling.config.CronTask;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.FixedRateTask;
import org.springframework.scheduling.config.IntervalTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.config.Task;
import org.springframework.scheduling.config.TriggerTask;
import org.springframework.scheduling.support.CronTrigger;
import org.springframework.scheduling.support.ScheduledMethodRunnable;

/**
 * Puts guarded tasks in the place of those that are to be guarded, and keeps a list of all for the table at start.
 * Thread-safe.
 */
final class Tasks {

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<TaskGuard> guards;
    private final TaskNames names;
    private final Object xml = new Object();
    private final IdentityHashMap<Object, Map<String, Integer>> counts = new IdentityHashMap<>();
    private final List<KnownTask> known = new ArrayList<>();
    private boolean started;

    Tasks(ConfigurableListableBeanFactory beans, Supplier<TaskGuard> guards, TaskNames names) {
        this.beans = beans;
        this.guards = guards;
        this.names = names;
    }

    /** Guards what a registrar is about to schedule. */
    void guardAll(ScheduledTaskRegistrar registrar) {
        List<CronTask> crons = new ArrayList<>();
        registrar.getCronTaskList().forEach(task -> crons.add(guarded(task)));
        List<TriggerTask> triggers = new ArrayList<>();
        registrar.getTriggerTaskList().forEach(task -> triggers.add(guarded(task)));
        List<IntervalTask> rates = new ArrayList<>();
        registrar.getFixedRateTaskList().forEach(task -> rates.add(guardedRate(task)));
        List<IntervalTask> delays = new ArrayList<>();
        registrar.getFixedDelayTaskList().forEach(task -> delays.add(guardedDelay(task)));
        registrar.setCronTasksList(crons);
        registrar.setTriggerTasksList(triggers);
        registrar.setFixedRateTasksList(rates);
        registrar.setFixedDelayTasksList(delays);
    }

    CronTask guarded(CronTask task) {
        if (isOurs(task)) {
            return task;
        }
        SlotTrigger trigger = new SlotTrigger((CronTrigger) task.getTrigger());
        Runnable runnable = guard(task, TaskSchedule.cron(trigger));
        return runnable == null ? task : new CronTask(runnable, trigger);
    }

    TriggerTask guarded(TriggerTask task) {
        if (isOurs(task)) {
            return task;
        }
        if (task.getTrigger() instanceof CronTrigger) {
            SlotTrigger trigger = new SlotTrigger((CronTrigger) task.getTrigger());
            Runnable runnable = guard(task, TaskSchedule.cron(trigger));
            return runnable == null ? task : new TriggerTask(runnable, trigger);
        }
        Runnable runnable = guard(task, TaskSchedule.other(task.getTrigger()));
        return runnable == null ? task : new TriggerTask(runnable, task.getTrigger());
    }

    /** The same kind of task as the one that comes in. */
    IntervalTask guardedRate(IntervalTask task) {
        Runnable runnable = isOurs(task) ? null : guard(task, TaskSchedule.rate(interval(task)));
        return runnable == null ? task : new FixedRateTask(runnable, task.getInterval(), task.getInitialDelay());
    }

    /** The same kind of task as the one that comes in. */
    IntervalTask guardedDelay(IntervalTask task) {
        Runnable runnable = isOurs(task) ? null : guard(task, TaskSchedule.delay(interval(task)));
        return runnable == null ? task : new FixedDelayTask(runnable, task.getInterval(), task.getInitialDelay());
    }

    private static Duration interval(IntervalTask task) {
        return Duration.ofMillis(Math.max(0, task.getInterval()));
    }

    static boolean isOurs(Task task) {
        return Unwrap.of(task) instanceof GuardedTask;
    }

    /** The guarded task, or null if this one is not to be guarded. */
    private @Nullable Runnable guard(Task task, TaskSchedule schedule) {
        TaskGuard guard = guards.get();
        Runnable work = Unwrap.of(task);
        TaskName name = names.of(work);
        LockedMethod annotated = name == null ? null : annotated(name);
        String reason = name == null ? null : reason(guard, name, annotated);
        GuardedTask guarded = null;
        if (name != null && reason != null) {
            if (name.target() != null) {
                MethodChecks.requireKnownEnd(name.text(), name.target().getMethod(), targetClass(name.target()));
            }
            if (annotated != null) {
                guard.requireValid(annotated);
            }
            guarded = new GuardedTask(guard, task.getRunnable(), name, lane(name, schedule), schedule, annotated);
        }
        add(new KnownTask(
                name == null ? work.getClass().getName() : name.text(),
                schedule,
                name != null,
                reason,
                guarded,
                name == null ? null : bean(name)));
        return guard.isEnabled() ? guarded : null;
    }

    private static @Nullable String reason(TaskGuard guard, TaskName name, @Nullable LockedMethod annotated) {
        Optional<String> reason = guard.reason(name.text());
        return reason.isPresent() ? reason.get() : annotated == null ? null : "@JobLocked";
    }

    private @Nullable LockedMethod annotated(TaskName name) {
        ScheduledMethodRunnable target = name.target();
        if (target == null) {
            return null;
        }
        String bean = name.text()
                .substring(
                        0, name.text().length() - target.getMethod().getName().length() - 1);
        return LockedMethod.of(beans, bean, targetClass(target), target.getMethod());
    }

    private static Class<?> targetClass(ScheduledMethodRunnable target) {
        return AopUtils.getTargetClass(target.getTarget());
    }

    /**
     * Two crons on one method are two lanes: they are counted, in the order in which they stand in the XML, or on the method
     * of one bean. The schedule itself is not part of it, so that a changed one goes on in the lane of the old one.
     */
    private String lane(TaskName name, TaskSchedule schedule) {
        Object bean = bean(name);
        Object owner = bean == null ? xml : bean;
        String lane = name.job() + "/" + name.source() + "-" + schedule.word();
        synchronized (counts) {
            return lane + "-"
                    + counts.computeIfAbsent(owner, any -> new HashMap<>()).merge(lane, 1, Integer::sum);
        }
    }

    /** The bean whose annotation schedules a task; null if it is XML that does. */
    private static @Nullable Object bean(TaskName name) {
        ScheduledMethodRunnable target = name.target();
        return target != null && name.source().equals("annotation") ? target.getTarget() : null;
    }

    void forget(Object bean) {
        synchronized (counts) {
            counts.remove(bean);
        }
        synchronized (known) {
            known.removeIf(task -> task.bean == bean);
        }
    }

    /** What a host schedules by hand once it has started it also ends by hand, of which we don't hear: it is not kept. */
    private void add(KnownTask task) {
        synchronized (known) {
            if (!started || task.bean != null) {
                known.add(task);
            }
        }
    }

    /** Says that all tasks have been seen that the start brings. */
    void started() {
        synchronized (known) {
            started = true;
        }
    }

    /** The tasks as they are now. */
    List<KnownTask> known() {
        synchronized (known) {
            return new ArrayList<>(known);
        }
    }

    /** A task that was seen. Immutable. */
    static final class KnownTask {
        final String name;
        final TaskSchedule schedule;
        final boolean named;
        final @Nullable String reason;
        final @Nullable GuardedTask guarded;
        /** The bean with which the task ends, if it is not the context. */
        final @Nullable Object bean;

        KnownTask(
                String name,
                TaskSchedule schedule,
                boolean named,
                @Nullable String reason,
                @Nullable GuardedTask guarded,
                @Nullable Object bean) {
            this.name = name;
            this.schedule = schedule;
            this.named = named;
            this.reason = reason;
            this.guarded = guarded;
            this.bean = bean;
        }
    }
}
