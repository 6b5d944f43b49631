package dev.joblock.engine;

import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners, one event after the other, on a thread of their own. What they throw is logged and goes no further. */
final class Events {

    private static final Logger LOG = LoggerFactory.getLogger(Events.class);

    private final List<JobLockListener> listeners;
    private final Executor thread;

    Events(List<JobLockListener> listeners, Executor thread) {
        this.listeners = new ArrayList<>(listeners);
        this.thread = thread;
    }

    void granted(JobLock lock, @Nullable RecordedRun abandoned) {
        tell(listener -> listener.onGranted(lock));
        if (abandoned != null) {
            LOG.warn(
                    "Lock '{}': the {} was abandoned, its lease has ended; taken over by {}",
                    lock.lockName(),
                    abandoned,
                    lock.holder().node());
            tell(listener -> listener.onAbandoned(lock, abandoned));
        }
    }

    void denied(JobRun run, Denied denied) {
        tell(listener -> listener.onDenied(run, denied));
    }

    void ended(JobLock lock, @Nullable Throwable failure) {
        tell(listener -> listener.onEnded(lock, failure));
    }

    void lost(JobLock lock, String why) {
        LOG.warn("Lock '{}' of {} is lost: {}", lock.lockName(), lock.run(), why);
        tell(listener -> listener.onLost(lock, why));
    }

    /** In one line, however many slots a run has held off. */
    void overrun(JobLock next, List<Overruns.HeldOff> slots) {
        if (slots.isEmpty()) {
            return;
        }
        Overruns.HeldOff first = slots.get(0);
        Overruns.HeldOff last = slots.get(slots.size() - 1);
        String firstHolder = first.denied.other().get().toString();
        String lastHolder = last.denied.other().get().toString();
        LOG.warn(
                "{} overrun, granted to no node: {} until the {}",
                slots.size() == 1
                        ? first.run + " was"
                        : first.run + " and " + (slots.size() - 1) + " more up to " + last.scheduled() + " were",
                "held off by the " + firstHolder
                        + (lastHolder.equals(firstHolder) ? "" : " and then by the " + lastHolder),
                "slot " + next.run().slot().get());
        for (Overruns.HeldOff slot : slots) {
            tell(listener -> listener.onOverrun(slot.run, slot.denied));
        }
    }

    void unclaimed(JobLock lock) {
        tell(listener -> listener.onUnclaimed(lock));
    }

    private void tell(Consumer<JobLockListener> event) {
        if (listeners.isEmpty()) {
            return;
        }
        thread.execute(() -> listeners.forEach(listener -> tellOne(listener, event)));
    }

    private static void tellOne(JobLockListener listener, Consumer<JobLockListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable e) {
            LOG.warn(
                    "The JobLockListener {} failed; jobs and locks go on",
                    listener.getClass().getName(),
                    e);
        }
    }
}
