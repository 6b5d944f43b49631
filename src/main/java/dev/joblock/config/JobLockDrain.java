package dev.joblock.config;

import dev.joblock.Durations;
import dev.joblock.JobLockService;
import dev.joblock.engine.DefaultJobLockService;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Holds the end of the context back until running jobs have ended and their locks are released, for a bounded time. Stands
 * in the phase after the schedulers, which start no new jobs from then on, and before connection factories.
 *
 * <p>Where there are schedulers and none of them waits for its jobs (Spring's default), the jobs are interrupted first, as
 * their schedulers would do, or leave undone, once their beans are gone.
 *
 * <p>It blocks inside {@link #stop(Runnable)}: from there Spring waits without its own, shorter, time limit. Thread-safe.
 */
public class JobLockDrain implements SmartLifecycle, BeanFactoryAware {

    private static final Logger LOG = LoggerFactory.getLogger(JobLockDrain.class);

    private final @Nullable DefaultJobLockService service;
    private Duration timeout = Duration.ofSeconds(30);
    private @Nullable ConfigurableListableBeanFactory beans;
    private volatile boolean running;

    /**
     * A drain.
     *
     * @param service whose locks are waited for; where the host puts a proxy around it, what is behind that
     */
    public JobLockDrain(JobLockService service) {
        Object target = AopProxyUtils.getSingletonTarget(service);
        Object real = target == null ? service : target;
        this.service = real instanceof DefaultJobLockService ? (DefaultJobLockService) real : null;
        if (this.service == null) {
            LOG.warn(
                    "The JobLockService is a {}, whose jobs Joblock can't wait for: at close, connections may end before them",
                    real.getClass().getName());
        }
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
    public void setBeanFactory(BeanFactory beans) {
        this.beans = beans instanceof ConfigurableListableBeanFactory ? (ConfigurableListableBeanFactory) beans : null;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        if (service != null) {
            if (beans != null && WaitingSchedulers.noneWaits(beans)) {
                service.interruptRuns();
            }
            service.awaitIdle(timeout);
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
