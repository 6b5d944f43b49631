package dev.joblock.scheduling;

import dev.joblock.Denied;
import dev.joblock.Granted;
import dev.joblock.Holder;
import dev.joblock.JobLock;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.LockOutcome;
import dev.joblock.StoreFault;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Grants or denies as it is told, and writes down in order what it is asked. */
final class FakeService implements JobLockService {

    static final Denied DENIED = Denied.byOutsider("somebody", null);
    volatile Denied denial = DENIED;

    final List<String> events = new CopyOnWriteArrayList<>();
    final List<JobRun> asked = new CopyOnWriteArrayList<>();
    private final Deque<String> current = new ArrayDeque<>();
    private final AtomicLong tokens = new AtomicLong();
    volatile boolean denies;
    volatile @Nullable RuntimeException failure;

    @Override
    public LockOutcome tryLock(JobRun run) {
        asked.add(run);
        if (failure != null) {
            throw failure;
        }
        synchronized (current) {
            if (denies && !current.contains(run.lockName())) {
                events.add("denied " + run.job());
                return denial;
            }
        }
        events.add("granted " + run.job());
        return new Granted(lock(run, tokens.incrementAndGet()));
    }

    @Override
    public boolean askAgain(JobRun run, Denied denied, java.util.function.Consumer<dev.joblock.LateGrant> starter) {
        return false;
    }

    private JobLock lock(JobRun run, long token) {
        AtomicBoolean released = new AtomicBoolean();
        return (JobLock) Proxy.newProxyInstance(
                JobLock.class.getClassLoader(), new Class<?>[] {JobLock.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "run":
                            return run;
                        case "lockName":
                            return run.lockName();
                        case "holder":
                            return new Holder("fake", "nonce" + token);
                        case "fencingToken":
                            return token;
                        case "since":
                            return Instant.EPOCH;
                        case "isHeld":
                            return !released.get();
                        case "release":
                            Object cause = arguments == null ? null : arguments[0];
                            released.set(true);
                            events.add("released " + run.job()
                                    + (cause instanceof Throwable thrown ? ": " + thrown.getMessage() : ""));
                            return null;
                        case "equals":
                            return proxy == arguments[0];
                        case "hashCode":
                            return System.identityHashCode(proxy);
                        default:
                            return method.getReturnType() == String.class ? "fake lock" : null;
                    }
                });
    }

    @Override
    public LockOutcome tryLock(JobRun run, Duration wait) {
        return tryLock(run);
    }

    @Override
    public LockOutcome run(JobRun run, Runnable task) {
        return Denied.storeDown(StoreFault.OTHER, "not used");
    }

    @Override
    public boolean addJobLock(String jobName) {
        return false;
    }

    @Override
    public void releaseJobLock(String jobName) {
        // Not used.
    }

    @Override
    public boolean seize(String jobName) {
        return false;
    }

    @Override
    public Optional<JobLock> current() {
        return Optional.empty();
    }

    @Override
    public void enter(JobLock lock) {
        synchronized (current) {
            current.push(lock.lockName());
        }
    }

    @Override
    public void leave(JobLock lock) {
        synchronized (current) {
            current.remove(lock.lockName());
        }
    }

    @Override
    public Denied report(JobRun run, Denied denied) {
        return denied;
    }

    @Override
    public String nodeId() {
        return "fake";
    }
}
