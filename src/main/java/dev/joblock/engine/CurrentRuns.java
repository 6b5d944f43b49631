package dev.joblock.engine;

import dev.joblock.JobLock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The handles under which each thread runs, innermost first. Thread-bound; belongs to one service. */
final class CurrentRuns {

    // Of this service, not of the class: two contexts in one JVM share nothing.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Deque<JobLock>> runs = new ThreadLocal<>();

    Optional<JobLock> innermost() {
        Deque<JobLock> stack = runs.get();
        return stack == null ? Optional.empty() : Optional.ofNullable(stack.peek());
    }

    /** The held lease of a lock name under which this thread runs. */
    @Nullable
    Lease find(String lockName) {
        Deque<JobLock> stack = runs.get();
        if (stack != null) {
            for (JobLock lock : stack) {
                Lease lease = lease(lock);
                if (lease.lockName().equals(lockName) && lease.isHeld()) {
                    return lease;
                }
            }
        }
        return null;
    }

    void enter(JobLock lock) {
        Deque<JobLock> stack = runs.get();
        if (stack == null) {
            stack = new ArrayDeque<>();
            runs.set(stack);
        }
        stack.push(lock);
        lease(lock).interruption().enter();
    }

    void leave(JobLock lock) {
        Deque<JobLock> stack = runs.get();
        if (stack == null || !stack.contains(lock)) {
            return;
        }
        JobLock left;
        do {
            // What was entered after it has been left open by code that did not end well.
            left = stack.pop();
            lease(left).interruption().leave();
        } while (left != lock);
        if (stack.isEmpty()) {
            runs.remove();
        }
    }

    private static Lease lease(JobLock lock) {
        return lock instanceof JoinedLock ? ((JoinedLock) lock).lease() : (Lease) lock;
    }
}
