package dev.joblock.quartz;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobLockException;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.LockOutcome;
import dev.joblock.StoreFault;
import org.jspecify.annotations.Nullable;
import org.quartz.InterruptableJob;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.UnableToInterruptJobException;

/**
 * Leads one fire from the ask for its lock to the release. What it throws is caught by the listener. Thread-safe.
 */
final class Fires {

    /** So often a job may have itself fired again under one lock. */
    static final int MOST_REFIRES = 100;

    private final JobLockService service;
    private final Guard guard;
    private final FireLog log;
    private final Runs runs;
    private final Claims claims;
    private final AskLimit limit = new AskLimit();
    private final LateFires late = new LateFires();

    Fires(JobLockService service, Guard guard, FireLog log) {
        this.service = service;
        this.guard = guard;
        this.log = log;
        this.runs = new Runs(guard.policies());
        this.claims = new Claims(this::settle);
    }

    /** Asks for the lock of a fire; true if it must not run. */
    boolean veto(JobExecutionContext context) throws SchedulerException {
        claims.moveOn(context);
        if (Claim.isIn(context)) {
            Claim claim = Claim.find(this, context);
            return claim != null && !guard.isDryRun() && refuseRefire(claim);
        }
        if (LateFires.isLate(context.getTrigger())) {
            return vetoLate(context);
        }
        if (!guard.isEnabled()
                || !guard.guards(QuartzJob.of(context.getJobDetail()).name())) {
            return false;
        }
        JobRun run = runs.of(context).beforeStart();
        Claim claim = Claim.put(this, context, run);
        LockOutcome outcome = ask(run, context.getScheduler());
        if (outcome instanceof Granted) {
            claim.granted(((Granted) outcome).lock());
            claims.add(claim);
            return false;
        }
        Denied denied = (Denied) outcome;
        if (denied.isRunWithoutLock()) {
            return false;
        }
        boolean again = !guard.isDryRun() && service.askAgain(run, denied, late.starter(context));
        log.denied(run, denied, context, guard.isDryRun(), again);
        return !guard.isDryRun();
    }

    /** A fire of our own making has its grant already, or may not run. */
    private boolean vetoLate(JobExecutionContext context) {
        JobLock lock = late.take(context.getTrigger()).orElse(null);
        if (lock == null) {
            log.tooLate(context);
            return true;
        }
        Claim claim = Claim.put(this, context, lock.run());
        claim.granted(lock);
        claims.add(claim);
        return false;
    }

    /** How many late fires have not fired yet. */
    int lateFires() {
        return late.size();
    }

    private LockOutcome ask(JobRun run, Scheduler scheduler) throws SchedulerException {
        AskLimit.Gate gate = limit.of(scheduler);
        if (!gate.enter()) {
            return service.report(
                    run,
                    Denied.storeDown(
                            StoreFault.SLOW,
                            "half of the workers of scheduler '" + scheduler.getSchedulerName() + "' wait for it"));
        }
        boolean answered = false;
        try {
            LockOutcome outcome = service.tryLock(run);
            answered = outcome.isGranted() || ((Denied) outcome).reason() != DenialReason.STORE_DOWN;
            return outcome;
        } finally {
            gate.leave(answered);
        }
    }

    private boolean refuseRefire(Claim claim) {
        JobLock lock = claim.live();
        if (lock == null) {
            return claim.hasLock();
        }
        if (!lock.isHeld()) {
            log.refireRefused(claim.run(), "its lease is lost");
            return true;
        }
        if (claim.context().getRefireCount() > MOST_REFIRES) {
            log.refireRefused(claim.run(), "it asked for that " + MOST_REFIRES + " times, which is the limit");
            return true;
        }
        return false;
    }

    /** Somebody vetoed the fire, perhaps we. */
    void vetoed(JobExecutionContext context) {
        Claim claim = Claim.find(this, context);
        if (claim != null) {
            claims.remove();
            settle(claim);
        }
    }

    /** The job is about to begin, unless a listener after this one throws. */
    void beforeJob(JobExecutionContext context, boolean startFollows) {
        Claim claim = Claim.find(this, context);
        if (claim == null) {
            String job = QuartzJob.of(context.getJobDetail()).name();
            if (guard.isEnabled() && !Claim.isIn(context) && guard.guards(job)) {
                log.unasked(job, context);
            }
            return;
        }
        JobLock lock = claim.live();
        if (lock != null) {
            service.enter(lock);
            if (!startFollows) {
                claim.start();
            }
        }
    }

    /** No listener is left that could keep the job from beginning. */
    void start(JobExecutionContext context) {
        Claim claim = Claim.find(this, context);
        if (claim != null) {
            JobLock lock = claim.live();
            if (lock != null && context.getJobInstance() instanceof InterruptableJob) {
                InterruptableJob job = (InterruptableJob) context.getJobInstance();
                lock.interruptBy(() -> interrupt(job, claim.run()));
            }
            claim.start();
            if (lock != null && !lock.isHeld()) {
                log.startsLate(claim.run());
            }
        }
    }

    /** The job has returned or thrown; it may want to be fired again at once. */
    void afterJob(JobExecutionContext context, @Nullable JobExecutionException exception) {
        Claim claim = Claim.find(this, context);
        JobLock lock = claim == null ? null : claim.live();
        if (claim == null || lock == null) {
            return;
        }
        Throwable failure = cause(exception);
        if (exception != null && exception.refireImmediately()) {
            claim.refires(failure);
            service.leave(lock);
        } else {
            end(claim, failure);
        }
    }

    /** Nothing follows, whatever was said before. */
    void complete(JobExecutionContext context) {
        Claim claim = Claim.find(this, context);
        if (claim != null && claim.live() != null) {
            end(claim, claim.failure());
        }
    }

    /** Quartz reports an error on this thread; some of these prove that nothing more will come of the fire on it. */
    void error(String message) {
        Claim claim = claims.current();
        if (claim != null && Proof.endsFire(message, claim.context())) {
            claims.remove();
            settle(claim);
        }
    }

    private void interrupt(InterruptableJob job, JobRun run) {
        try {
            job.interrupt();
        } catch (UnableToInterruptJobException e) {
            log.notInterrupted(run, e);
        }
    }

    private void end(Claim claim, @Nullable Throwable failure) {
        claims.remove();
        JobLock lock = claim.live();
        boolean held = lock != null && lock.isHeld();
        if (claim.release(service, failure) && lock != null) {
            log.ended(lock, held, claim.context(), failure);
        }
    }

    /** Ends a fire of which it is known that nothing more will come. */
    private void settle(Claim claim) {
        JobLock lock = claim.live();
        if (lock == null) {
            return;
        }
        if (claim.isStarted()) {
            Throwable refire = claim.failure();
            end(
                    claim,
                    refire != null ? refire : new JobLockException("another listener threw, so that no callback came"));
        } else if (claim.settle(service)) {
            log.unclaimed(claim.run());
        }
    }

    /** What the job threw, without the wrappers that Quartz puts around it. */
    private static @Nullable Throwable cause(@Nullable JobExecutionException exception) {
        if (exception == null) {
            return null;
        }
        Throwable wrapper = exception.getCause();
        Throwable thrown = wrapper instanceof SchedulerException ? wrapper.getCause() : null;
        return thrown != null ? thrown : exception;
    }
}
