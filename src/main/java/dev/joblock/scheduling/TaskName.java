package dev.joblock.scheduling;

import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.ScheduledMethodRunnable;

/** The name of a scheduled task, as bean definitions give it. Immutable. */
final class TaskName {

    private final String text;
    private final String source;
    private final @Nullable ScheduledMethodRunnable target;

    TaskName(String text, String source, @Nullable ScheduledMethodRunnable target) {
        this.text = text;
        this.source = source;
        this.target = target;
    }

    /** {@code bean.method}. */
    String text() {
        return text;
    }

    /** The job's name, which is also that of its lock by default. */
    String job() {
        return TaskGuard.PREFIX + text;
    }

    /** Where the schedule stands: {@code xml} or {@code annotation}. */
    String source() {
        return source;
    }

    /** The bean and method behind it, or null if a Runnable is scheduled itself. */
    @Nullable
    ScheduledMethodRunnable target() {
        return target;
    }

    @Override
    public String toString() {
        return "'" + text + "'";
    }
}
