package dev.joblock.engine;

import dev.joblock.JobLock;
import dev.joblock.Slot;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The handles under which each thread runs, innermost first, and what log lines of the thread carry of the innermost:
 * {@code joblock.job}, {@code joblock.slot} and {@code joblock.token} in the MDC. Thread-bound; belongs to one service.
 */
final class CurrentRuns {

    // Of this service, not of the class: two contexts in one JVM share nothing.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Deque<Entered>> runs = new ThreadLocal<>();

    /** A handle, and what stood in the MDC before it. */
    private static final class Entered {
        private final JobLock lock;
        private final @Nullable String job = MDC.get("joblock.job");
        private final @Nullable String slot = MDC.get("joblock.slot");
        private final @Nullable String token = MDC.get("joblock.token");

        Entered(JobLock lock) {
            this.lock = lock;
            put("joblock.job", lock.run().job());
            put("joblock.slot", lock.run().slot().map(Slot::toString).orElse(null));
            put("joblock.token", Long.toString(lock.fencingToken()));
        }

        void restore() {
            put("joblock.job", job);
            put("joblock.slot", slot);
            put("joblock.token", token);
        }

        private static void put(String key, @Nullable String value) {
            if (value == null) {
                MDC.remove(key);
            } else {
                MDC.put(key, value);
            }
        }
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
        } while (left.lock != lock);
        left.restore();
        if (stack.isEmpty()) {
            runs.remove();
        }
    }

    private static Lease lease(JobLock lock) {
        return lock instanceof JoinedLock ? ((JoinedLock) lock).lease() : (Lease) lock;
    }
}
