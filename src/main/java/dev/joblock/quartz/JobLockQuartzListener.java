package dev.joblock.quartz;

import dev.joblock.GuardSwitch;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockService;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobListener;
import org.quartz.Trigger;
import org.quartz.Trigger.CompletedExecutionInstruction;
import org.quartz.TriggerListener;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Makes guarded Quartz jobs run once per slot over all nodes: as trigger listener it asks for the lock of each fire and
 * vetoes it where the lock is denied, as job listener it releases the lock when the job has ended.
 *
 * <p>Guarded is a job that a {@link dev.joblock.JobLockPolicy} names, or a pattern of {@link #setJobs}; all others are left
 * alone. {@link QuartzAttacher} attaches it to every scheduler. By hand, it must be named in {@code globalTriggerListeners}
 * and in {@code globalJobListeners} of the {@code SchedulerFactoryBean}; with one of them only, the context fails at start.
 * Where two listeners of this kit meet at a fire, the second leaves it to the first.
 *
 * <p>A job that has itself fired again ({@code refireImmediately}) keeps its lock, up to 100 times. At most half of a
 * scheduler's workers, and at least one, wait for answers at once; a fire beyond that is denied as <em>store slow</em> where
 * the store answers nobody for half a second. A fire that is denied because of the store is lost on this node, not thrown at
 * Quartz.
 *
 * <p>A fire that was denied for a passing reason and is granted later, by the {@code retry} or {@code rerun} of its policy or
 * since this node's clock is ahead, is fired by a one-shot trigger of the group {@link #LATE_GROUP} on the node that got the
 * grant.
 *
 * <p>Thread-safe. No callback throws: an error inside is logged, and the fire vetoed.
 */
public class JobLockQuartzListener
        implements TriggerListener,
                JobListener,
                BeanFactoryAware,
                SmartInitializingSingleton,
                ApplicationListener<ContextRefreshedEvent>,
                GuardSwitch {

    /**
     * The group of the one-shot triggers by which a denied fire is fired later. Their data is that of the original trigger,
     * and the entries below.
     */
    public static final String LATE_GROUP = "joblock";

    /** In the data of a late fire: why it comes, {@code retry}, {@code rerun} or {@code scheduled}. */
    public static final String ORIGIN = "joblock.origin";

    /** In the data of a late fire: the scheduled fire time of the original one, in ms since 1970, as a text. */
    public static final String SCHEDULED_FIRE_TIME = "joblock.scheduledFireTime";

    /** In the data of a late fire: the name of the original trigger. */
    public static final String TRIGGER_NAME = "joblock.triggerName";

    /** In the data of a late fire: the group of the original trigger. */
    public static final String TRIGGER_GROUP = "joblock.triggerGroup";

    static final String LANE = "joblock.lane";

    private final String name = "joblock-" + UUID.randomUUID();
    private final Guard guard;
    private final FireLog log = new FireLog();
    private final Fires fires;
    private final String nodeId;
    private final SelfCheck selfCheck;
    private final Object wiringLock = new Object();

    /**
     * A listener that guards the jobs which the policies name.
     *
     * @param service gives the locks
     * @param policies how jobs are locked, and which
     */
    public JobLockQuartzListener(JobLockService service, JobLockPolicies policies) {
        this.guard = new Guard(policies);
        this.fires = new Fires(service, guard, log);
        this.nodeId = service.nodeId();
        this.selfCheck = new SelfCheck(this);
    }

    /**
     * Which jobs are guarded besides those that policies name.
     *
     * @param patterns names with commas between them: {@code name} in the default group, {@code group.name} elsewhere,
     *     {@code *} for any characters, {@code !} in front excludes; blank for none
     * @throws IllegalArgumentException if a pattern is empty or all exclude
     */
    public final void setJobs(String patterns) {
        guard.setJobs(patterns);
    }

    /**
     * Switches guarding on or off. Off, nothing is asked and every job runs on every node.
     *
     * @param enabled true by default
     */
    public final void setEnabled(boolean enabled) {
        guard.setEnabled(enabled);
    }

    /**
     * Asks and logs, but never vetoes: shows what guarding would do.
     *
     * @param dryRun false by default
     */
    public final void setDryRun(boolean dryRun) {
        guard.setDryRun(dryRun);
    }

    @Override
    public boolean isGuarding() {
        return guard.isEnabled();
    }

    @Override
    public void setGuarding(boolean guarding) {
        guard.setEnabled(guarding);
    }

    /**
     * The name in Quartz' lists of listeners, where a second listener of the same name would replace the first.
     *
     * @return a name that no other instance has
     */
    @Override
    public String getName() {
        return name;
    }

    /**
     * Does nothing.
     *
     * @param trigger the trigger that fires
     * @param context the fire
     */
    @Override
    public void triggerFired(Trigger trigger, JobExecutionContext context) {}

    /**
     * Asks for the lock of a guarded fire.
     *
     * @param trigger the trigger that fires
     * @param context the fire
     * @return true if the job must not run on this node
     */
    @Override
    public boolean vetoJobExecution(Trigger trigger, JobExecutionContext context) {
        try {
            boolean veto = fires.veto(context);
            Wiring.complete(context.getScheduler().getListenerManager(), this);
            return veto;
        } catch (Throwable error) {
            boolean veto = !guard.isDryRun();
            quietly(() -> log.unexpected("the ask for the lock", context, veto ? "vetoed" : "not vetoed", error));
            return veto;
        }
    }

    /**
     * Does nothing: whether a misfired slot is run is decided when it fires.
     *
     * @param trigger the trigger that fired too late
     */
    @Override
    public void triggerMisfired(Trigger trigger) {}

    /**
     * Releases the lock if the job's end was not heard of.
     *
     * @param trigger the trigger that fired
     * @param context the fire
     * @param instruction what Quartz does next
     */
    @Override
    public void triggerComplete(
            Trigger trigger, JobExecutionContext context, CompletedExecutionInstruction instruction) {
        if (instruction != CompletedExecutionInstruction.RE_EXECUTE_JOB) {
            safely("the end of the fire", context, () -> fires.complete(context));
        }
    }

    /**
     * Makes the lock the thread's current run.
     *
     * @param context the fire
     */
    @Override
    public void jobToBeExecuted(JobExecutionContext context) {
        safely("the start", context, () -> fires.beforeJob(context, Wiring.startFollows(context, this)));
    }

    /**
     * Takes the grant back, since another listener vetoed the fire.
     *
     * @param context the fire
     */
    @Override
    public void jobExecutionVetoed(JobExecutionContext context) {
        safely("the veto", context, () -> fires.vetoed(context));
    }

    /**
     * Releases the lock, unless the job wants to be fired again at once.
     *
     * @param context the fire
     * @param exception what the job threw, or null if it did its work
     */
    @Override
    public void jobWasExecuted(JobExecutionContext context, @Nullable JobExecutionException exception) {
        safely("the end of the job", context, () -> fires.afterJob(context, exception));
    }

    /**
     * Gives the bean factory in which the wiring by hand is checked. Called by Spring.
     *
     * @param beanFactory the factory of this bean
     */
    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        selfCheck.setBeanFactory(beanFactory);
    }

    /**
     * Checks the wiring by hand. Called by Spring.
     *
     * @throws IllegalStateException if this listener is wired to a scheduler in one role only
     */
    @Override
    public void afterSingletonsInstantiated() {
        selfCheck.run();
    }

    /**
     * Checks the wiring by hand of a listener that is an inner bean. Called by Spring.
     *
     * @param event tells that the context has started
     * @throws IllegalStateException if this listener is wired to a scheduler in one role only
     */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        selfCheck.run();
    }

    final Guard guard() {
        return guard;
    }

    final Fires fires() {
        return fires;
    }

    final String nodeId() {
        return nodeId;
    }

    final Object wiringLock() {
        return wiringLock;
    }

    final SelfCheck selfCheck() {
        return selfCheck;
    }

    /** Runs a callback that must not throw into Quartz, which would leave the trigger BLOCKED. */
    final void safely(String where, JobExecutionContext context, Callback callback) {
        try {
            callback.run();
        } catch (Throwable error) {
            quietly(() -> log.unexpected(where, context, "the run goes on", error));
        }
    }

    /** Even a log that fails must not end a schedule. */
    static void quietly(Runnable logging) {
        try {
            logging.run();
        } catch (Throwable ignored) {
            // Nothing is left to tell it to.
        }
    }

    /** A step of a callback. */
    interface Callback {
        void run() throws Exception;
    }
}
