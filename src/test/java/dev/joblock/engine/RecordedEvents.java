package dev.joblock.engine;

import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes down what a listener hears. */
final class RecordedEvents implements JobLockListener {
    private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

    /** What was heard since the last look, in order. */
    List<String> heard() {
        synchronized (heard) {
            List<String> now = List.copyOf(heard);
            heard.clear();
            return now;
        }
    }

    /** How many events of a kind have been heard since the last look. */
    long count(String kind) {
        synchronized (heard) {
            return heard.stream().filter(event -> event.startsWith(kind + " ")).count();
        }
    }

    @Override
    public void onGranted(JobLock lock) {
        heard.add("granted " + lock.lockName());
    }

    @Override
    public void onDenied(JobRun run, Denied denied) {
        heard.add("denied " + run.job() + ": " + denied);
    }

    @Override
    public void onEnded(JobLock lock, @Nullable Throwable failure) {
        heard.add("ended " + lock.lockName() + (failure == null ? "" : ": " + failure.getMessage()));
    }

    @Override
    public void onLost(JobLock lock, String why) {
        heard.add("lost " + lock.lockName() + ": " + why);
    }

    @Override
    public void onUnclaimed(JobLock lock) {
        heard.add("unclaimed " + lock.lockName());
    }

    @Override
    public void onAbandoned(JobLock lock, RecordedRun abandoned) {
        heard.add("abandoned " + lock.lockName() + " by " + abandoned.node());
    }

    @Override
    public void onOverrun(JobRun run, Denied denied) {
        heard.add("overrun " + run + ": " + denied);
    }
}
