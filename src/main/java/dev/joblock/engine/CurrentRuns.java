package dev.joblock.engine;

import dev.joblock.JobLock;
import dev.joblock.RunObserver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handles under which each thread runs, innermost first, and the observers that go along. Thread-bound; belongs to one
 * service.
 */
final class CurrentRuns {

    private static final Logger LOG = LoggerFactory.getLogger(CurrentRuns.class);

    // Of this service, not of the class: two contexts in one JVM share nothing.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Deque<Entered>> runs = new ThreadLocal<>();

    private volatile List<RunObserver> observers = Collections.singletonList(new RunMdc());

    /** A handle, and what the observers have on the thread for it. */
    private final class Entered {
        private final JobLock lock;
        private final Deque<RunObserver.Entry> entries = new ArrayDeque<>();

        Entered(JobLock lock) {
            this.lock = lock;
            for (RunObserver observer : observers) {
                tell(observer, it -> entries.push(it.enter(lease(lock))));
            }
        }

        void begun() {
            entries.descendingIterator().forEachRemaining(entry -> tell(entry, RunObserver.Entry::begun));
        }

        void left() {
            entries.forEach(entry -> tell(entry, RunObserver.Entry::left));
        }
    }

    /** More observers, which hear of what is entered from now on. */
    void observe(List<RunObserver> more) {
        List<RunObserver> all = new ArrayList<>(observers);
        all.addAll(more);
        observers = all;
    }

    Optional<JobLock> innermost() {
        Deque<Entered> stack = runs.get();
        return stack == null
                ? Optional.empty()
                : Optional.ofNullable(stack.peek()).map(entered -> entered.lock);
    }

    /** The held lease of a lock name under which this thread runs. */
    @Nullable
    Lease find(String lockName) {
        Deque<Entered> stack = runs.get();
        if (stack != null) {
            for (Entered entered : stack) {
                Lease lease = lease(entered.lock);
                if (lease.lockName().equals(lockName) && lease.isHeld()) {
                    return lease;
                }
            }
        }
        return null;
    }

    void enter(JobLock lock) {
        Deque<Entered> stack = runs.get();
        if (stack == null) {
            stack = new ArrayDeque<>();
            runs.set(stack);
        }
        stack.push(new Entered(lock));
        lease(lock).interruption().enter();
    }

    /** The job's own work begins, on this thread if that has entered the run. */
    void begun(Lease lease) {
        Deque<Entered> stack = runs.get();
        Entered innermost = stack == null ? null : stack.peek();
        if (innermost != null && lease(innermost.lock) == lease) {
            innermost.begun();
        }
    }

    void leave(JobLock lock) {
        Deque<Entered> stack = runs.get();
        if (stack == null || stack.stream().noneMatch(entered -> entered.lock == lock)) {
            return;
        }
        Entered left;
        do {
            // What was entered after it has been left open by code that did not end well.
            left = stack.pop();
            lease(left.lock).interruption().leave();
            left.left();
        } while (left.lock != lock);
        if (stack.isEmpty()) {
            runs.remove();
        }
    }

    /** A run has ended, wherever it was entered. */
    void ended(Lease lease, boolean lost, @Nullable Throwable failure) {
        for (RunObserver observer : observers) {
            tell(observer, it -> it.ended(lease, lost, failure));
        }
    }

    private static <T> void tell(T listener, Consumer<T> event) {
        try {
            event.accept(listener);
        } catch (Throwable e) {
            LOG.warn("What goes along with runs failed; jobs and locks go on", e);
        }
    }

    private static Lease lease(JobLock lock) {
        return lock instanceof JoinedLock ? ((JoinedLock) lock).lease() : (Lease) lock;
    }
}
