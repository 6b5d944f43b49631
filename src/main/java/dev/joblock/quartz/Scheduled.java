package dev.joblock.quartz;

import org.jspecify.annotations.Nullable;
import org.quartz.JobDetail;
import org.quartz.JobKey;
import org.quartz.Trigger;

/** A job and one of its triggers, or none, as found at start. Immutable. */
final class Scheduled {

    private final JobKey key;
    private final QuartzJob job;
    private final @Nullable Trigger trigger;

    Scheduled(JobDetail detail, @Nullable Trigger trigger) {
        this.key = detail.getKey();
        this.job = QuartzJob.of(detail);
        this.trigger = trigger;
    }

    JobKey key() {
        return key;
    }

    QuartzJob job() {
        return job;
    }

    /** The trigger, or null if the job has none. */
    @Nullable
    Trigger trigger() {
        return trigger;
    }
}
