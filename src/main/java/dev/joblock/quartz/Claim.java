package dev.joblock.quartz;

import dev.joblock.JobLock;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;

/**
 * What became of one fire, kept in its {@link JobExecutionContext} so that a refire finds it, and a second listener sees
 * that the fire is looked after.
 *
 * <p>States: <em>asked</em> → <em>claimed</em> (there is a handle) → <em>started</em> → <em>ended</em>; from <em>claimed</em>
 * also at once to <em>ended</em>. Used by the fire's own thread, and by another only once that thread is dead.
 */
final class Claim {

    private static final String KEY = "dev.joblock.quartz.claim";

    private final Object owner;
    private final JobExecutionContext context;
    private final JobRun run;
    private volatile @Nullable JobLock lock;
    private volatile boolean started;
    private volatile boolean ended;
    private volatile @Nullable Throwable failure;

    private Claim(Object owner, JobExecutionContext context, JobRun run) {
        this.owner = owner;
        this.context = context;
        this.run = run;
    }

    /** Puts a new claim into the context, where it stays. */
    static Claim put(Object owner, JobExecutionContext context, JobRun run) {
        Claim claim = new Claim(owner, context, run);
        context.put(KEY, claim);
        return claim;
    }

    /** Whether any listener of this kit looks after the fire, even one of another class loader. */
    static boolean isIn(JobExecutionContext context) {
        return context.get(KEY) != null;
    }

    /** The owner's claim in a context, or null if there is none. */
    static @Nullable Claim find(Object owner, JobExecutionContext context) {
        Object entry = context.get(KEY);
        return entry instanceof Claim && ((Claim) entry).owner == owner ? (Claim) entry : null;
    }

    JobExecutionContext context() {
        return context;
    }

    JobRun run() {
        return run;
    }

    void granted(JobLock handle) {
        lock = handle;
    }

    /** The handle, or null if none was got or the run has ended. */
    @Nullable
    JobLock live() {
        return ended ? null : lock;
    }

    boolean isStarted() {
        return started;
    }

    boolean hasLock() {
        return lock != null;
    }

    void start() {
        JobLock handle = live();
        if (handle != null && !started) {
            started = true;
            handle.started();
        }
    }

    /** Remembers why the job wants to be fired again, in case that does not come about. */
    void refires(@Nullable Throwable cause) {
        failure = cause;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    /**
     * Ends a run that has done all it will. Without effect the second time.
     *
     * @return whether this call ended it
     */
    boolean release(JobLockService service, @Nullable Throwable cause) {
        JobLock handle = live();
        if (handle == null) {
            return false;
        }
        ended = true;
        failure = cause;
        try {
            service.leave(handle);
        } finally {
            handle.release(cause);
        }
        return true;
    }

    /**
     * Ends a fire of which it is proven that nothing more will come: takes the grant back if the job had not begun, else
     * releases it. Without effect the second time.
     *
     * @return whether this call ended it
     */
    boolean settle(JobLockService service) {
        JobLock handle = live();
        if (started || handle == null) {
            return release(service, failure);
        }
        ended = true;
        try {
            service.leave(handle);
        } finally {
            handle.unclaim();
        }
        return true;
    }
}
