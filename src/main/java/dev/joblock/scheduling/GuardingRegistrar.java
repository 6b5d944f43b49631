package dev.joblock.scheduling;

import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.config.CronTask;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.FixedRateTask;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.config.TriggerTask;

/**
 * The registrar that the processor of {@code @Scheduled} is given: puts each guarded task in place of the one that comes in.
 * Also sees what the host's {@code SchedulingConfigurer} beans add. As thread-safe as its parent.
 */
final class GuardingRegistrar extends ScheduledTaskRegistrar {

    private final Tasks tasks;
    private final Runnable whenScheduled;

    GuardingRegistrar(Tasks tasks, Runnable whenScheduled) {
        this.tasks = tasks;
        this.whenScheduled = whenScheduled;
    }

    @Override
    public @Nullable ScheduledTask scheduleCronTask(CronTask task) {
        return super.scheduleCronTask(tasks.guarded(task));
    }

    @Override
    public @Nullable ScheduledTask scheduleTriggerTask(TriggerTask task) {
        return super.scheduleTriggerTask(tasks.guarded(task));
    }

    @Override
    public @Nullable ScheduledTask scheduleFixedRateTask(FixedRateTask task) {
        return super.scheduleFixedRateTask((FixedRateTask) tasks.guardedRate(task));
    }

    @Override
    public @Nullable ScheduledTask scheduleFixedDelayTask(FixedDelayTask task) {
        return super.scheduleFixedDelayTask((FixedDelayTask) tasks.guardedDelay(task));
    }

    @Override
    public void afterPropertiesSet() {
        super.afterPropertiesSet();
        whenScheduled.run();
    }
}
