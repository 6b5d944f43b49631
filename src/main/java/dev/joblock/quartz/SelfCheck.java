package dev.joblock.quartz;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;

/**
 * Checks a listener that was wired by hand, and completes its wiring. Does nothing where an attacher does so.
 *
 * <p>For the thread that starts the context.
 */
final class SelfCheck {

    private static final Logger LOG = LoggerFactory.getLogger(JobLockQuartzListener.class);

    private final JobLockQuartzListener listener;
    private @Nullable BeanFactory beanFactory;
    private boolean done;

    SelfCheck(JobLockQuartzListener listener) {
        this.listener = listener;
    }

    void setBeanFactory(BeanFactory factory) {
        beanFactory = factory;
    }

    void leaveToAttacher() {
        done = true;
    }

    void run() {
        if (done || beanFactory == null) {
            return;
        }
        done = true;
        try {
            check(Schedulers.of(beanFactory));
        } catch (SchedulerException e) {
            LOG.warn("The wiring of Joblock's Quartz listener could not be checked", e);
        }
    }

    private void check(Set<Scheduler> schedulers) throws SchedulerException {
        StartUp startUp = new StartUp(false);
        for (Scheduler scheduler : schedulers) {
            if (Wiring.find(scheduler).contains(listener)) {
                Wiring.requireBothRoles(scheduler, listener);
                Wiring.attach(scheduler, listener);
                startUp.add(scheduler, listener);
            }
        }
        if (startUp.isEmpty()) {
            LOG.warn(
                    "Joblock's Quartz listener is wired to no scheduler and guards nothing; name it in globalTriggerListeners"
                            + " and globalJobListeners of the SchedulerFactoryBean, or import classpath:spring/joblock.xml");
        } else {
            startUp.finish(true);
        }
    }
}
