package dev.joblock.config;

import dev.joblock.Durations;
import dev.joblock.JobLockService;
import dev.joblock.engine.DefaultJobLockService;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;

/**
 * Holds the end of the context back until running jobs have ended and their locks are released, for a bounded time. Stands
 * in the phase after the schedulers, which start no new jobs from then on, and before connection factories.
 *
 * <p>It blocks inside {@link #stop(Runnable)}: from there Spring waits without its own, shorter, time limit. Thread-safe.
 */
public class JobLockDrain implements SmartLifecycle {

    private final JobLockService service;
    private Duration timeout = Duration.ofSeconds(30);
    private volatile boolean running;

    /**
     * A drain.
     *
     * @param service whose locks are waited for
     */
    public JobLockDrain(JobLockService service) {
        this.service = service;
    }

    /**
     * How long to wait at the most.
     *
     * @param timeout a duration such as {@code 30s} (default)
     */
    public void setTimeout(String timeout) {
        this.timeout = Durations.parsePositive("timeout", timeout);
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        if (service instanceof DefaultJobLockService) {
            ((DefaultJobLockService) service).awaitIdle(timeout);
        }
        running = false;
    }

    @Override
    public void stop(Runnable callback) {
        try {
            stop();
        } finally {
            callback.run();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE - 1;
    }
}
