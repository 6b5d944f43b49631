package dev.joblock.quartz;

import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;

/**
 * The claims by the worker thread that they were made on, until they end.
 *
 * <p>Quartz gives no callback at all if a neighbour listener throws an {@code Error}. But a worker runs one fire at a time:
 * once it is asked for another fire, or is dead, nothing more will come of the one before. Thread-safe.
 */
final class Claims {

    private final Consumer<Claim> end;
    private final Map<Thread, Claim> byThread = new ConcurrentHashMap<>();

    /** Claims that are handed over to {@code end} once their fire is known to be over. */
    Claims(Consumer<Claim> end) {
        this.end = end;
    }

    /** Says that this thread is at a fire, so that whatever it left behind is over. */
    void moveOn(JobExecutionContext context) {
        Claim before = byThread.get(Thread.currentThread());
        if (before != null && before.context() != context) {
            byThread.remove(Thread.currentThread());
            end.accept(before);
        }
        for (Iterator<Map.Entry<Thread, Claim>> all = byThread.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Thread, Claim> entry = all.next();
            if (!entry.getKey().isAlive()) {
                all.remove();
                end.accept(entry.getValue());
            }
        }
    }

    void add(Claim claim) {
        byThread.put(Thread.currentThread(), claim);
    }

    /** The claim of this thread's fire, or null if there is none. */
    @Nullable
    Claim current() {
        return byThread.get(Thread.currentThread());
    }

    void remove() {
        byThread.remove(Thread.currentThread());
    }
}
