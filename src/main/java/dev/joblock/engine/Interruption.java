package dev.joblock.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interrupts the threads of one run, once, and never what they do next: interrupting and leaving exclude each other.
 *
 * <p>States: <em>quiet</em> → <em>due</em> (asked for; who enters later is interrupted at once) → <em>over</em> (the run has
 * ended, nothing is interrupted any more). Thread-safe.
 */
final class Interruption {

    private static final Logger LOG = LoggerFactory.getLogger(Interruption.class);

    private final Executor threads;
    private final List<Worker> workers = new ArrayList<>();
    private @Nullable Runnable action;
    private boolean due;
    private boolean over;

    /** The action of an adapter is foreign code and runs on a thread of these. */
    Interruption(Executor threads) {
        this.threads = threads;
    }

    private static final class Worker {
        final Thread thread;
        /** How often it has entered: a nested part of the run on the same thread is interrupted with it. */
        int depth = 1;
        /** The flag is ours. */
        boolean flagged;

        Worker(Thread thread) {
            this.thread = thread;
        }

        void interrupt() {
            if (!thread.isInterrupted()) {
                flagged = true;
                thread.interrupt();
            }
        }
    }

    /** The calling thread works for the run from now on. */
    synchronized void enter() {
        Worker worker = find(Thread.currentThread());
        if (worker != null) {
            worker.depth++;
            return;
        }
        Worker entered = new Worker(Thread.currentThread());
        workers.add(entered);
        if (due && !over && action == null) {
            entered.interrupt();
        }
    }

    /** The calling thread works for the run no more. */
    synchronized void leave() {
        Worker worker = find(Thread.currentThread());
        if (worker != null && --worker.depth == 0) {
            workers.remove(worker);
            if (worker.flagged) {
                Thread.interrupted();
            }
        }
    }

    /** To be done in place of interrupting threads. */
    synchronized void by(Runnable adapterAction) {
        action = adapterAction;
        if (due && !over) {
            run(adapterAction);
        }
    }

    synchronized void fire() {
        if (due || over) {
            return;
        }
        due = true;
        if (action != null) {
            run(action);
        } else {
            workers.forEach(Worker::interrupt);
        }
    }

    synchronized void end() {
        over = true;
    }

    private void run(Runnable adapterAction) {
        threads.execute(() -> {
            synchronized (this) {
                if (over) {
                    return;
                }
            }
            try {
                adapterAction.run();
            } catch (Throwable e) {
                LOG.warn("A run could not be interrupted", e);
            }
        });
    }

    private @Nullable Worker find(Thread thread) {
        for (Worker worker : workers) {
            if (worker.thread == thread) {
                return worker;
            }
        }
        return null;
    }
}
