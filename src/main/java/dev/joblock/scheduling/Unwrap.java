package dev.joblock.scheduling;

import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.config.Task;

/** Finds what a task of Spring runs: from 6.2 on it puts a Runnable of its own around that. Stateless. */
final class Unwrap {

    private Unwrap() {}

    static Runnable of(Task task) {
        Runnable runnable = task.getRunnable();
        for (Class<?> type = runnable.getClass(); type.getEnclosingClass() == Task.class; type = runnable.getClass()) {
            Runnable inner = Fields.read(runnable, type, Runnable.class);
            if (inner == null) {
                return runnable;
            }
            runnable = inner;
        }
        return runnable;
    }

    /** Whether Spring has put something around it that this class can't look into. */
    static boolean isOpaque(@Nullable Runnable runnable) {
        return runnable != null && runnable.getClass().getEnclosingClass() == Task.class;
    }
}
