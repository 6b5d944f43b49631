package dev.joblock.engine;

import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one after the other on a thread of another executor. The first after a pause begins at once; while they keep
 * coming, the thread looks for more after a linger, so that whoever hands one over does not pay for waking it.
 *
 * <p>States: open → finishing ({@link #finish}) → dropped ({@link #drop}). Thread-safe. The tasks must not throw.
 */
final class Bundled implements Executor {

    private final Executor thread;
    private final long lingerNanos;
    private final Queue<Runnable> tasks;
    private final AtomicBoolean awake = new AtomicBoolean();
    private volatile @Nullable Thread drainer;
    private volatile boolean finishing;
    private volatile boolean dropped;

    /** Where tasks wait is a thread-safe queue, bounded or not. */
    Bundled(Executor thread, Queue<Runnable> tasks, long lingerNanos) {
        this.thread = thread;
        this.tasks = tasks;
        this.lingerNanos = lingerNanos;
    }

    /**
     * Hands a task over.
     *
     * @throws RejectedExecutionException if too many wait, after {@link #drop}, or as the thread's executor does
     */
    @Override
    public void execute(Runnable task) {
        if (dropped || !tasks.offer(task)) {
            throw new RejectedExecutionException(dropped ? "dropped" : "the queue is full");
        }
        try {
            if (awake.compareAndSet(false, true)) {
                wake();
            }
        } catch (RuntimeException | Error e) {
            if (tasks.remove(task)) {
                throw e;
            }
        }
    }

    private void wake() {
        boolean woken = false;
        try {
            thread.execute(this::drain);
            woken = true;
        } finally {
            if (!woken) {
                awake.set(false);
            }
        }
    }

    private void drain() {
        do {
            drainer = Thread.currentThread();
            do {
                for (Runnable task = tasks.poll(); task != null && !dropped; task = tasks.poll()) {
                    task.run();
                    // An interrupt that a task leaves behind would end each linger at once.
                    boolean unused = Thread.interrupted();
                }
                linger();
            } while (!tasks.isEmpty());
            drainer = null;
            awake.set(false);
        } while (!tasks.isEmpty() && awake.compareAndSet(false, true));
    }

    private void linger() {
        long end = System.nanoTime() + lingerNanos;
        for (long left = lingerNanos; left > 0 && !finishing; left = end - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** From now on nothing lingers: what waits is run, and then the thread ends. */
    void finish() {
        finishing = true;
        LockSupport.unpark(drainer);
    }

    /** Forgets what waits, and takes nothing more. */
    void drop() {
        dropped = true;
        tasks.clear();
    }
}
