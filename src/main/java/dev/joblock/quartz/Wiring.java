package dev.joblock.quartz;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.JobListener;
import org.quartz.ListenerManager;
import org.quartz.Matcher;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SchedulerListener;
import org.quartz.TriggerKey;
import org.quartz.TriggerListener;
import org.quartz.impl.matchers.EverythingMatcher;

/**
 * Attaches a listener to a scheduler in all its roles and in the right order: as trigger listener last, so that it asks
 * after the neighbours have vetoed or thrown; as job listener first, so that it releases before a neighbour throws; its
 * start listener last.
 *
 * <p>Stateless. The order is put right only while the scheduler does not run, since listeners are taken out and put back
 * for that.
 */
final class Wiring {

    private Wiring() {}

    /** The listeners of this kit that a scheduler has in one role at least. */
    static List<JobLockQuartzListener> find(Scheduler scheduler) throws SchedulerException {
        List<Object> all = new ArrayList<>(scheduler.getListenerManager().getTriggerListeners());
        all.addAll(scheduler.getListenerManager().getJobListeners());
        List<JobLockQuartzListener> ours = new ArrayList<>();
        for (Object listener : all) {
            if (listener instanceof JobLockQuartzListener && !ours.contains(listener)) {
                ours.add((JobLockQuartzListener) listener);
            }
        }
        return ours;
    }

    /** Fails if a listener that was wired by hand has one role only, in which it could not do its work. */
    static void requireBothRoles(Scheduler scheduler, JobLockQuartzListener listener) throws SchedulerException {
        boolean asks = scheduler.getListenerManager().getTriggerListener(listener.getName()) != null;
        boolean releases = scheduler.getListenerManager().getJobListener(listener.getName()) != null;
        if (asks != releases) {
            throw new IllegalStateException(
                    "The Joblock listener of scheduler '" + scheduler.getSchedulerName() + "' is wired as "
                            + (asks
                                    ? "trigger listener only and so cannot release locks; name the same bean in globalJobListeners"
                                    : "job listener only and so cannot veto; name the same bean in globalTriggerListeners")
                            + " of the SchedulerFactoryBean as well, or import classpath:spring/joblock.xml and name it in neither");
        }
    }

    static void attach(Scheduler scheduler, JobLockQuartzListener listener) throws SchedulerException {
        ListenerManager manager = scheduler.getListenerManager();
        boolean reorder = !scheduler.isStarted();
        asLastTriggerListener(manager, listener, reorder);
        asFirstAndLastJobListener(manager, listener, reorder);
        if (errorListener(manager, listener) == null) {
            manager.addSchedulerListener(new ErrorListener(listener));
        }
    }

    static void detach(Scheduler scheduler, JobLockQuartzListener listener) throws SchedulerException {
        ListenerManager manager = scheduler.getListenerManager();
        manager.removeTriggerListener(listener.getName());
        manager.removeJobListener(StartListener.nameFor(listener));
        manager.removeJobListener(listener.getName());
        SchedulerListener errors = errorListener(manager, listener);
        if (errors != null) {
            manager.removeSchedulerListener(errors);
        }
    }

    /** Whether the listener's start listener will be called after it. */
    static boolean startFollows(JobExecutionContext context, JobLockQuartzListener listener) throws SchedulerException {
        return context.getScheduler().getListenerManager().getJobListener(StartListener.nameFor(listener)) != null;
    }

    private static void asLastTriggerListener(ListenerManager manager, TriggerListener listener, boolean reorder) {
        List<TriggerListener> all = manager.getTriggerListeners();
        boolean known = all.contains(listener);
        if (known && (!reorder || all.get(all.size() - 1) == listener)) {
            return;
        }
        List<Matcher<TriggerKey>> matchers = known
                ? copy(manager.getTriggerListenerMatchers(listener.getName()))
                : only(EverythingMatcher.allTriggers());
        manager.removeTriggerListener(listener.getName());
        manager.addTriggerListener(listener, matchers);
    }

    private static void asFirstAndLastJobListener(
            ListenerManager manager, JobLockQuartzListener listener, boolean reorder) {
        List<JobListener> all = manager.getJobListeners();
        boolean known = all.contains(listener);
        List<Matcher<JobKey>> matchers =
                known ? copy(manager.getJobListenerMatchers(listener.getName())) : only(EverythingMatcher.allJobs());
        if (!known || (reorder && all.get(0) != listener)) {
            manager.removeJobListener(listener.getName());
            manager.addJobListener(listener, matchers);
            for (JobListener other : all) {
                if (reorder && other != listener) {
                    List<Matcher<JobKey>> theirs = copy(manager.getJobListenerMatchers(other.getName()));
                    manager.removeJobListener(other.getName());
                    manager.addJobListener(other, theirs);
                }
            }
        }
        manager.removeJobListener(StartListener.nameFor(listener));
        manager.addJobListener(new StartListener(listener), matchers);
    }

    private static @Nullable SchedulerListener errorListener(ListenerManager manager, JobLockQuartzListener listener) {
        for (SchedulerListener candidate : manager.getSchedulerListeners()) {
            if (candidate instanceof ErrorListener && ((ErrorListener) candidate).isOf(listener)) {
                return candidate;
            }
        }
        return null;
    }

    private static <T> List<T> copy(List<T> list) {
        return new ArrayList<>(list);
    }

    private static <T> List<T> only(T element) {
        List<T> list = new ArrayList<>();
        list.add(element);
        return list;
    }
}
