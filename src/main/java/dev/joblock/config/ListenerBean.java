package dev.joblock.config;

import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/**
 * A listener by its bean name. It is fetched late, so that a listener may itself ask for the service that it listens to.
 * Thread-safe.
 */
final class ListenerBean implements JobLockListener {

    private final BeanFactory beans;
    private final String name;
    private volatile @Nullable JobLockListener listener;

    ListenerBean(BeanFactory beans, String name) {
        this.beans = beans;
        this.name = name;
    }

    /** The bean itself; made now if it was not yet. */
    JobLockListener listener() {
        JobLockListener found = listener;
        if (found == null) {
            found = beans.getBean(name, JobLockListener.class);
            listener = found;
        }
        return found;
    }

    @Override
    public void onGranted(JobLock lock) {
        listener().onGranted(lock);
    }

    @Override
    public void onDenied(JobRun run, Denied denied) {
        listener().onDenied(run, denied);
    }

    @Override
    public void onEnded(JobLock lock, @Nullable Throwable failure) {
        listener().onEnded(lock, failure);
    }

    @Override
    public void onLost(JobLock lock, String why) {
        listener().onLost(lock, why);
    }

    @Override
    public void onUnclaimed(JobLock lock) {
        listener().onUnclaimed(lock);
    }

    @Override
    public void onAbandoned(JobLock lock, RecordedRun abandoned) {
        listener().onAbandoned(lock, abandoned);
    }

    @Override
    public void onOverrun(JobRun run, Denied denied) {
        listener().onOverrun(run, denied);
    }
}
