package dev.joblock.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The engine's threads without threads: what is due runs while the test turns the clock, and what would be handed to another
 * thread runs at once, unless the test holds it back.
 */
final class ManualThreads implements Threads {
    private final ManualTime time;
    private final PriorityQueue<Task> timer =
            new PriorityQueue<>(Comparator.<Task>comparingLong(task -> task.due).thenComparingInt(task -> task.number));
    private int tasks;
    private @Nullable Runnable afterPlan;
    final Lane io = new Lane();
    final Lane ioCalls = new Lane();
    final Lane events = new Lane();
    final Lane asks = new Lane();
    final Lane retries = new Lane();

    ManualThreads(ManualTime time) {
        this.time = time;
    }

    private record Task(long due, int number, Runnable work) {}

    /** An executor whose tasks run at once, or when they are let go. */
    static final class Lane implements Executor {
        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private boolean held;
        private Runnable trouble = () -> {};

        @Override
        public void execute(Runnable task) {
            trouble.run();
            if (held) {
                waiting.add(task);
            } else {
                task.run();
            }
        }

        void hold() {
            held = true;
        }

        /** Takes nothing from now on, as an executor whose threads all hang. */
        void fill() {
            trouble = () -> {
                throw new RejectedExecutionException("full");
            };
        }

        /** Throws an error at everybody from now on. */
        void breakDown(Error error) {
            trouble = () -> {
                throw error;
            };
        }

        void letGo() {
            trouble = () -> {};
            held = false;
            while (!waiting.isEmpty()) {
                waiting.remove().run();
            }
        }

        int waiting() {
            return waiting.size();
        }
    }

    @Override
    public Runnable after(long delayNanos, Runnable task) {
        Task planned = new Task(time.nanos() + Math.max(0, delayNanos), tasks++, task);
        timer.add(planned);
        Runnable step = afterPlan;
        if (step != null) {
            afterPlan = null;
            step.run();
        }
        return () -> timer.remove(planned);
    }

    /** Lets time pass and runs what becomes due, each task at its own time. */
    void pass(Duration duration) {
        long end = time.nanos() + duration.toNanos();
        for (Task next = timer.peek(); next != null && next.due <= end; next = timer.peek()) {
            timer.remove();
            time.passNanos(Math.max(0, next.due - time.nanos()));
            next.work.run();
        }
        time.passNanos(Math.max(0, end - time.nanos()));
    }

    /** Does a step as soon as the next task is in the timer, before whoever has planned it goes on. */
    void afterNextPlan(Runnable step) {
        afterPlan = step;
    }

    /** How many tasks the timer holds. */
    int planned() {
        return timer.size();
    }

    @Override
    public Executor io() {
        return io;
    }

    @Override
    public Executor ioCalls() {
        return ioCalls;
    }

    @Override
    public Executor events() {
        return events;
    }

    @Override
    public Executor asks() {
        return asks;
    }

    @Override
    public Executor retries() {
        return retries;
    }

    @Override
    public void close(long millis) {
        timer.clear();
    }
}
