package dev.joblock.batch;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Granted;
import dev.joblock.Holder;
import dev.joblock.JobLock;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.LateGrant;
import dev.joblock.LockOutcome;
import dev.joblock.RecordedRun;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A service without a store: each ask is answered as the test says, and written down. For one thread. */
final class StubService implements JobLockService {
    static final Instant NOW = Instant.parse("2026-10-25T12:00:00Z");

    final List<String> asked = new ArrayList<>();
    final List<String> ended = new ArrayList<>();
    final Deque<JobLock> current = new ArrayDeque<>();
    private Function<JobRun, LockOutcome> answer = run -> new Granted(new StubLock(run));

    void grant() {
        answer = run -> new Granted(new StubLock(run));
    }

    void denyAsHeld() {
        answer = run -> Denied.by(
                DenialReason.HELD,
                new RecordedRun("n9", "", null, NOW.minusSeconds(60), 7),
                NOW.plusSeconds(30),
                false);
    }

    void denyAsStoreDown() {
        answer = run -> Denied.storeDown(StoreFault.UNREACHABLE, "nobody listens");
    }

    /** As the service answers where the policy says so. */
    void denyAsStoreDownAndRun() {
        answer = run ->
                Denied.storeDown(StoreFault.UNREACHABLE, "nobody listens").withRunWithoutLock();
    }

    /** The store is up, and refuses: the service lets nothing run for that, whatever the policy says. */
    void denyAsNewerRecord() {
        answer = run -> Denied.storeDown(StoreFault.UNKNOWN_LAYOUT, "layout 9");
    }

    void fail() {
        answer = run -> {
            throw new IllegalStateException("a fault of the kit");
        };
    }

    @Override
    public LockOutcome tryLock(JobRun run) {
        asked.add(run.lockName());
        return answer.apply(run);
    }

    @Override
    public LockOutcome tryLock(JobRun run, Duration wait) {
        throw new UnsupportedOperationException();
    }

    @Override
    public LockOutcome run(JobRun run, Runnable task) {
        StubLock lock = new StubLock(run);
        enter(lock);
        try {
            task.run();
        } finally {
            leave(lock);
        }
        return new Granted(lock);
    }

    @Override
    public boolean addJobLock(String jobName) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void releaseJobLock(String jobName) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean seize(String jobName) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<JobLock> current() {
        return Optional.ofNullable(current.peek());
    }

    @Override
    public void enter(JobLock lock) {
        current.push(lock);
    }

    @Override
    public void leave(JobLock lock) {
        while (current.pop() != lock) {
            throw new AssertionError("left in another order than entered");
        }
    }

    @Override
    public Denied report(JobRun run, Denied denied) {
        return denied;
    }

    @Override
    public boolean askAgain(JobRun run, Denied denied, Consumer<LateGrant> starter) {
        return false;
    }

    @Override
    public String nodeId() {
        return "n1";
    }

    private final class StubLock implements JobLock {
        private final JobRun run;
        private boolean over;

        StubLock(JobRun run) {
            this.run = run;
        }

        @Override
        public JobRun run() {
            return run;
        }

        @Override
        public String lockName() {
            return run.lockName();
        }

        @Override
        public Holder holder() {
            return new Holder("n1", "nonce");
        }

        @Override
        public long fencingToken() {
            return 42;
        }

        @Override
        public Instant since() {
            return NOW;
        }

        @Override
        public Duration heldFor() {
            return Duration.ZERO;
        }

        @Override
        public boolean isHeld() {
            return !over;
        }

        @Override
        public void ensureHeld() {}

        @Override
        public void ensureHeld(boolean verify) {}

        @Override
        public void interruptBy(Runnable action) {}

        @Override
        public void interrupt() {}

        @Override
        public void keep() {}

        @Override
        public void started() {}

        @Override
        public void release() {
            release(null);
        }

        @Override
        public void release(@Nullable Throwable failure) {
            if (!over) {
                over = true;
                ended.add(run.lockName() + (failure == null ? "" : ": " + failure.getMessage()));
            }
        }

        @Override
        public void unclaim() {
            if (!over) {
                over = true;
                ended.add(run.lockName() + " un-claimed");
            }
        }

        @Override
        public void close() {
            release(null);
        }
    }
}
