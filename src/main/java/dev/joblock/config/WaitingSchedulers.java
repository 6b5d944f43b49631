package dev.joblock.config;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Whether the schedulers of a context wait for their jobs at its end: Quartz' {@code SchedulerFactoryBean} and Spring's
 * {@code ThreadPoolTaskScheduler} say so by a property that can only be set, so its field is read. Stateless.
 */
final class WaitingSchedulers {

    private static final String[][] KINDS = {
        {"org.springframework.scheduling.quartz.SchedulerFactoryBean", "waitForJobsToCompleteOnShutdown"},
        {"org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler", "waitForTasksToCompleteOnShutdown"},
    };

    private WaitingSchedulers() {}

    /** True if there are schedulers and none of them waits. */
    static boolean noneWaits(ConfigurableListableBeanFactory beans) {
        boolean found = false;
        for (String name : beans.getSingletonNames()) {
            Object bean = beans.getSingleton(name);
            String property = bean == null ? null : property(bean.getClass());
            if (property != null && bean != null) {
                found = true;
                if (isSet(bean, property)) {
                    return false;
                }
            }
        }
        return found;
    }

    private static @Nullable String property(Class<?> type) {
        for (Class<?> it = type; it != null; it = it.getSuperclass()) {
            for (String[] kind : KINDS) {
                if (it.getName().equals(kind[0])) {
                    return kind[1];
                }
            }
        }
        return null;
    }

    /** What can't be read counts as set, so that nothing is interrupted for which somebody may wait. */
    private static boolean isSet(Object bean, String property) {
        Field field = ReflectionUtils.findField(bean.getClass(), property);
        if (field == null) {
            return true;
        }
        ReflectionUtils.makeAccessible(field);
        return !Boolean.FALSE.equals(ReflectionUtils.getField(field, bean));
    }
}
