package dev.joblock.quartz;

import java.util.ArrayList;
import java.util.List;
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
 * <p>Stateless. The order of neighbours is put right only while the scheduler does not run, since they are taken out and
 * put back for that. Thread-safe but for that.
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
        asFirstJobListener(manager, listener, reorder);
        complete(manager, listener);
    }

    /**
     * Adds what the listener needs besides itself, after all job listeners that have come meanwhile. Cheap where all is in
     * order; to be called before the job listeners of a fire are collected.
     */
    static void complete(ListenerManager manager, JobLockQuartzListener listener) {
        if (!isStartLast(manager.getJobListeners(), listener)
                || errorListeners(manager, listener).isEmpty()) {
            synchronized (listener.wiringLock()) {
                List<JobListener> all = manager.getJobListeners();
                if (!isStartLast(all, listener)) {
                    // First the new one, then away with the old one: a fire that comes between hears both, never none.
                    manager.addJobListener(new StartListener(listener), jobMatchers(manager, listener));
                    remove(manager, all, listener);
                }
                if (errorListeners(manager, listener).isEmpty()) {
                    manager.addSchedulerListener(new ErrorListener(listener));
                }
            }
        }
    }

    static void detach(Scheduler scheduler, JobLockQuartzListener listener) throws SchedulerException {
        ListenerManager manager = scheduler.getListenerManager();
        manager.removeTriggerListener(listener.getName());
        manager.removeJobListener(listener.getName());
        remove(manager, manager.getJobListeners(), listener);
        errorListeners(manager, listener).forEach(manager::removeSchedulerListener);
    }

    /** Whether one of the listener's start listeners will hear of a fire that a listener hears of now. */
    static boolean startFollows(JobExecutionContext context, JobLockQuartzListener listener) throws SchedulerException {
        for (JobListener candidate : context.getScheduler().getListenerManager().getJobListeners()) {
            if (isStart(candidate, listener)) {
                return true;
            }
        }
        return false;
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

    private static void asFirstJobListener(ListenerManager manager, JobListener listener, boolean reorder) {
        List<JobListener> all = manager.getJobListeners();
        boolean known = all.contains(listener);
        if (known && (!reorder || all.get(0) == listener)) {
            return;
        }
        List<Matcher<JobKey>> matchers = jobMatchers(manager, listener);
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

    private static List<Matcher<JobKey>> jobMatchers(ListenerManager manager, JobListener listener) {
        return manager.getJobListener(listener.getName()) == null
                ? only(EverythingMatcher.allJobs())
                : copy(manager.getJobListenerMatchers(listener.getName()));
    }

    private static boolean isStartLast(List<JobListener> all, JobLockQuartzListener listener) {
        for (int i = all.size() - 1; i >= 0 && all.get(i) instanceof StartListener; i--) {
            if (isStart(all.get(i), listener)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isStart(JobListener candidate, JobLockQuartzListener listener) {
        return candidate instanceof StartListener && ((StartListener) candidate).isOf(listener);
    }

    private static void remove(ListenerManager manager, List<JobListener> all, JobLockQuartzListener listener) {
        for (JobListener candidate : all) {
            if (isStart(candidate, listener)) {
                manager.removeJobListener(candidate.getName());
            }
        }
    }

    private static List<SchedulerListener> errorListeners(ListenerManager manager, JobLockQuartzListener listener) {
        List<SchedulerListener> found = new ArrayList<>();
        for (SchedulerListener candidate : manager.getSchedulerListeners()) {
            if (candidate instanceof ErrorListener && ((ErrorListener) candidate).isOf(listener)) {
                found.add(candidate);
            }
        }
        return found;
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
