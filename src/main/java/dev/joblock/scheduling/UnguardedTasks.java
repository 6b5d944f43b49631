package dev.joblock.scheduling;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.scheduling.support.ScheduledMethodRunnable;

/** Finds tasks that are scheduled past the guard, though it names them. Stateless. */
final class UnguardedTasks {

    private UnguardedTasks() {}

    /**
     * Looks through all that a context has scheduled.
     *
     * @param own whether the guard stands in this context rather than in an ancestor
     * @throws IllegalStateException with a sentence for the first one
     */
    static void refuse(TaskGuard guard, ApplicationContext context, boolean own) {
        if (!(context instanceof ConfigurableApplicationContext)) {
            return;
        }
        ConfigurableListableBeanFactory beans = ((ConfigurableApplicationContext) context).getBeanFactory();
        for (ScheduledTaskHolder holder :
                context.getBeansOfType(ScheduledTaskHolder.class, false, false).values()) {
            for (ScheduledTask task : holder.getScheduledTasks()) {
                Runnable runnable = Unwrap.of(task.getTask());
                String name = name(beans, runnable);
                Optional<String> reason = name == null ? Optional.empty() : guard.reason(name);
                if (reason.isPresent()) {
                    throw new IllegalStateException(sentence(name, reason.get(), context, own));
                }
            }
        }
    }

    private static String sentence(@Nullable String name, String reason, ApplicationContext context, boolean own) {
        String start = "The task '" + name + "' is to be guarded by " + reason + " and is scheduled past the guard";
        return own
                ? start
                        + ", since the ScheduledAnnotationBeanPostProcessor or registrar that schedules it is built in a way of"
                        + " its own; use <task:annotation-driven/>, @EnableScheduling or <task:scheduled-tasks>"
                : start + ", since '" + context.getDisplayName()
                        + "' is a child of the context that imports Joblock; add"
                        + " <import resource=\"classpath:spring/joblock-scheduling.xml\"/> to the XML of the child";
    }

    private static @Nullable String name(ConfigurableListableBeanFactory beans, Runnable runnable) {
        if (runnable instanceof GuardedTask) {
            return null;
        }
        if (!(runnable instanceof ScheduledMethodRunnable)) {
            String bean = bean(beans, runnable);
            return bean == null ? null : bean + ".run";
        }
        ScheduledMethodRunnable target = (ScheduledMethodRunnable) runnable;
        String bean = bean(beans, target.getTarget());
        return bean == null ? null : bean + "." + target.getMethod().getName();
    }

    private static @Nullable String bean(ConfigurableListableBeanFactory beans, Object object) {
        for (String name : beans.getBeanDefinitionNames()) {
            if (beans.containsSingleton(name) && beans.getSingleton(name) == object) {
                return BeanNames.plain(name, true);
            }
        }
        return null;
    }
}
