package dev.joblock.jmx;

import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counts outcomes. Thread-safe. */
abstract class Counters implements JobLockListener {

    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();

    final Map<String, Long> counts() {
        Map<String, Long> copy = new TreeMap<>();
        counts.forEach((outcome, count) -> copy.put(outcome, count.get()));
        return copy;
    }

    private void count(String outcome) {
        counts.computeIfAbsent(outcome, name -> new AtomicLong()).incrementAndGet();
    }

    @Override
    public final void onGranted(JobLock lock) {
        count("granted");
    }

    @Override
    public final void onDenied(JobRun run, Denied denied) {
        count(denied.reason().toString());
    }

    @Override
    public final void onEnded(JobLock lock, @Nullable Throwable failure) {
        count(failure == null ? "ran" : "failed");
    }

    @Override
    public final void onLost(JobLock lock, String why) {
        count("lost");
    }

    @Override
    public final void onUnclaimed(JobLock lock) {
        count("un-claimed");
    }

    @Override
    public final void onAbandoned(JobLock lock, RecordedRun abandoned) {
        count("abandoned");
    }

    @Override
    public final void onOverrun(JobRun run, Denied denied) {
        count("overrun");
    }
}
