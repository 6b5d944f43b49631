package dev.joblock.engine;

import dev.joblock.JobLock;
import dev.joblock.RunObserver;
import dev.joblock.Slot;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * What log lines of a thread carry while it works for a run: {@code joblock.job}, {@code joblock.slot} and
 * {@code joblock.token} in the MDC. What stood there before comes back. Thread-safe.
 */
final class RunMdc implements RunObserver {

    private static final String JOB = "joblock.job";
    private static final String SLOT = "joblock.slot";
    private static final String TOKEN = "joblock.token";

    @Override
    public Entry enter(JobLock lock) {
        String job = MDC.get(JOB);
        String slot = MDC.get(SLOT);
        String token = MDC.get(TOKEN);
        put(lock.run().job(), lock.run().slot().map(Slot::toString).orElse(null), Long.toString(lock.fencingToken()));
        return () -> put(job, slot, token);
    }

    private static void put(@Nullable String job, @Nullable String slot, @Nullable String token) {
        put(JOB, job);
        put(SLOT, slot);
        put(TOKEN, token);
    }

    private static void put(String key, @Nullable String value) {
        if (value == null) {
            MDC.remove(key);
        } else {
            MDC.put(key, value);
        }
    }
}
