package dev.joblock.scheduling;

import dev.joblock.JobCatalog;
import dev.joblock.JobLockException;
import dev.joblock.JobStarter;
import dev.joblock.Nodes;
import dev.joblock.RegisteredJob;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * The scheduled tasks of this node, for lists, alarms and people. Those of a child context that is no node of its own stand in
 * the catalog of its parent. Of a fixed rate, a fixed delay and an unguarded task no fire times are told.
 *
 * <p>Not listed: a task that comes from no bean, and one that the application hands to a registrar after its start. A task that the
 * application cancels while its bean lives stays in the list. Thread-safe.
 */
public class TaskCatalog
        implements JobCatalog, JobStarter, BeanFactoryAware, SmartInitializingSingleton, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(TaskGuard.class);

    private final TaskInstaller installer;
    private final List<TaskCatalog> children = new CopyOnWriteArrayList<>();
    private @Nullable BeanFactory beans;
    private @Nullable TaskCatalog parent;

    /**
     * A catalog.
     *
     * @param installer has seen the tasks
     */
    public TaskCatalog(TaskInstaller installer) {
        this.installer = installer;
    }

    /**
     * Gives the bean factory in whose ancestors another catalog may stand. Called by Spring.
     *
     * @param beanFactory the factory of this bean
     */
    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = beanFactory;
    }

    /** Joins the catalog of the nearest ancestor, unless this context is a node of its own. Called by Spring. */
    @Override
    public void afterSingletonsInstantiated() {
        boolean node = beans instanceof ListableBeanFactory
                && ((ListableBeanFactory) beans).getBeanNamesForType(Nodes.class, true, false).length > 0;
        BeanFactory ancestor = beans instanceof HierarchicalBeanFactory
                ? ((HierarchicalBeanFactory) beans).getParentBeanFactory()
                : null;
        if (node || !(ancestor instanceof ListableBeanFactory)) {
            return;
        }
        Iterator<TaskCatalog> found = BeanFactoryUtils.beansOfTypeIncludingAncestors(
                        (ListableBeanFactory) ancestor, TaskCatalog.class, true, false)
                .values()
                .iterator();
        if (found.hasNext()) {
            TaskCatalog nearest = found.next();
            nearest.children.add(this);
            parent = nearest;
        }
    }

    /** Leaves the catalog of the ancestor. Called by Spring. */
    @Override
    public void destroy() {
        if (parent != null) {
            parent.children.remove(this);
        }
    }

    @Override
    public List<RegisteredJob> jobs() {
        List<RegisteredJob> jobs = new ArrayList<>();
        for (Tasks.KnownTask task : installer.known()) {
            try {
                if (task.named) {
                    jobs.add(registered(task));
                }
            } catch (RuntimeException e) {
                LOG.debug("The task '{}' can't be listed", task.name, e);
            }
        }
        children.forEach(child -> jobs.addAll(child.jobs()));
        return jobs;
    }

    private static RegisteredJob registered(Tasks.KnownTask task) {
        GuardedTask guarded = task.guarded;
        if (guarded != null && guarded.isInForce()) {
            return guarded.registered();
        }
        String job = TaskGuard.PREFIX + task.name;
        TaskSchedule schedule = task.schedule;
        return new RegisteredJob(job, job, schedule.word(), schedule.withoutZone(), schedule.zone(), false, null, null);
    }

    /** The threads of schedulers run more than tasks; they are not counted. */
    @Override
    public int threads() {
        return 0;
    }

    @Override
    public int busyThreads() {
        return 0;
    }

    @Override
    public boolean start(String job, String by) {
        boolean unguarded = false;
        for (Tasks.KnownTask task : installer.known()) {
            GuardedTask guarded = task.guarded;
            if (guarded != null && guarded.isInForce() && guarded.job().equals(job)) {
                guarded.startNow(by);
                return true;
            }
            unguarded |= task.named && job.equals(TaskGuard.PREFIX + task.name);
        }
        for (TaskCatalog child : children) {
            if (child.start(job, by)) {
                return true;
            }
        }
        if (unguarded) {
            throw new JobLockException(
                    "it is a scheduled task of Spring that is not guarded here, and only guarded ones can be started by hand");
        }
        return false;
    }
}
