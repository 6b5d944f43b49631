package dev.joblock.events;

import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;

/** Publishes what becomes of runs as {@link JobLockEvent}s of the context. Thread-safe. */
public final class SpringEvents implements JobLockListener, ApplicationEventPublisherAware {

    private static final Logger LOG = LoggerFactory.getLogger(SpringEvents.class);

    private volatile @Nullable ApplicationEventPublisher publisher;

    /** Publishes nothing before {@link #setApplicationEventPublisher} was called. */
    public SpringEvents() {}

    @Override
    public void setApplicationEventPublisher(ApplicationEventPublisher applicationEventPublisher) {
        this.publisher = applicationEventPublisher;
    }

    @Override
    public void onGranted(JobLock lock) {
        publish(new JobGrantedEvent(this, lock));
    }

    @Override
    public void onDenied(JobRun run, Denied denied) {
        publish(new JobDeniedEvent(this, run, denied));
    }

    @Override
    public void onEnded(JobLock lock, @Nullable Throwable failure) {
        publish(new JobReleasedEvent(this, lock, failure));
    }

    @Override
    public void onLost(JobLock lock, String why) {
        publish(new JobLostEvent(this, lock, why));
    }

    @Override
    public void onAbandoned(JobLock lock, RecordedRun abandoned) {
        publish(new JobAbandonedEvent(this, lock, abandoned));
    }

    @Override
    public void onOverrun(JobRun run, Denied denied) {
        publish(new JobOverrunEvent(this, run, denied));
    }

    private void publish(JobLockEvent event) {
        ApplicationEventPublisher target = publisher;
        if (target == null) {
            return;
        }
        try {
            target.publishEvent(event);
        } catch (IllegalStateException e) {
            // A context that closes has no listeners any more.
            LOG.debug("{} of {} is not published", event.getClass().getSimpleName(), event.getRun(), e);
        }
    }
}
