package dev.joblock.scheduling;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.scheduling.annotation.Schedules;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

/**
 * Puts the guard around scheduled tasks before Spring schedules them: those of {@code <task:scheduled-tasks>} and of other
 * {@code ScheduledTaskRegistrar} beans, and those of {@code @Scheduled} methods. Then it logs one table: task, schedule, lane,
 * guarded or not and why, rule, lease, next slot.
 *
 * <p>The processor of {@code @Scheduled} gets a registrar of ours by its own constructor argument. No bean is wrapped in a
 * proxy for this, and no scheduler replaced. The start fails if a task that is to be guarded can't be, and if the guard's
 * {@link TaskGuard#setStrict strict} is set and a pattern matches no task.
 *
 * <p>A child context with tasks that the guard names must import {@code spring/joblock-scheduling.xml} itself; else its start
 * fails. For the threads that start contexts.
 */
public class TaskInstaller
        implements BeanFactoryPostProcessor,
                MergedBeanDefinitionPostProcessor,
                DestructionAwareBeanPostProcessor,
                ApplicationListener<ContextRefreshedEvent>,
                Ordered {

    private final String guardName;
    private final Set<GuardingRegistrar> waiting = new LinkedHashSet<>();

    @SuppressWarnings("NullAway.Init")
    private ConfigurableListableBeanFactory beans;

    @SuppressWarnings("NullAway.Init")
    private TaskNames names;

    @SuppressWarnings("NullAway.Init")
    private Tasks tasks;

    private boolean annotationDriven;
    private boolean refreshed;
    private boolean reported;

    /**
     * An installer.
     *
     * @param guardName the name of the {@link TaskGuard} bean, which is fetched when the first task is seen
     */
    public TaskInstaller(String guardName) {
        this.guardName = guardName;
    }

    /** Comes right before the processor of {@code @Scheduled}, and sees the same object. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE - 1;
    }

    /**
     * Gives the processor of {@code @Scheduled} its registrar. Called by Spring.
     *
     * @param beanFactory the factory of this bean
     */
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        beans = beanFactory;
        names = new TaskNames(beanFactory);
        tasks = new Tasks(beanFactory, this::guard, names);
        for (String name : beanFactory.getBeanNamesForType(ScheduledAnnotationBeanPostProcessor.class, true, false)) {
            annotationDriven = true;
            if (beanFactory.containsBeanDefinition(name)) {
                install(name, beanFactory.getBeanDefinition(name));
            }
        }
    }

    private void install(String name, BeanDefinition definition) {
        boolean bySpring = "org.springframework.scheduling.annotation.SchedulingConfiguration"
                .equals(definition.getFactoryBeanName());
        if (bySpring && beans instanceof BeanDefinitionRegistry) {
            RootBeanDefinition same = new RootBeanDefinition(ScheduledAnnotationBeanPostProcessor.class);
            same.setRole(definition.getRole());
            ((BeanDefinitionRegistry) beans).removeBeanDefinition(name);
            ((BeanDefinitionRegistry) beans).registerBeanDefinition(name, same);
            give(same);
        } else if (definition.getFactoryMethodName() == null
                && definition.getConstructorArgumentValues().isEmpty()) {
            give(definition);
        }
    }

    private void give(BeanDefinition definition) {
        GuardingRegistrar[] self = new GuardingRegistrar[1];
        GuardingRegistrar registrar = new GuardingRegistrar(tasks, () -> scheduled(self[0]));
        self[0] = registrar;
        waiting.add(registrar);
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, registrar);
    }

    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String beanName) {
        // Only so that this comes late, see getOrder.
    }

    /**
     * Guards the tasks of a registrar before it schedules them. Called by Spring.
     *
     * @param bean any bean
     * @param beanName its name
     * @return the same bean
     * @throws IllegalStateException if a task that is to be guarded can't be
     */
    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof ScheduledTaskRegistrar && !(bean instanceof GuardingRegistrar)) {
            tasks.guardAll((ScheduledTaskRegistrar) bean);
        }
        return bean;
    }

    /**
     * Remembers the names of beans that are scheduled. Called by Spring.
     *
     * @param bean any bean
     * @param beanName its name
     * @return the same bean
     * @throws IllegalStateException if a method that is to be guarded can't be
     */
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Runnable && (!beans.containsBeanDefinition(beanName) || beans.isSingleton(beanName))) {
            names.rememberRunnable((Runnable) bean, beanName);
        }
        if (!annotationDriven || bean instanceof AopInfrastructureBean) {
            return bean;
        }
        Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        Map<Method, Set<Scheduled>> scheduled = scheduledMethods(type);
        if (!scheduled.isEmpty()) {
            names.remember(bean, beanName);
            String name = names.plain(beanName);
            scheduled.forEach((method, annotations) -> check(name + "." + method.getName(), type, method, annotations));
        }
        return bean;
    }

    private static Map<Method, Set<Scheduled>> scheduledMethods(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, Arrays.asList(Scheduled.class, Schedules.class))) {
            return Collections.emptyMap();
        }
        MethodIntrospector.MetadataLookup<@Nullable Set<Scheduled>> lookup = method -> {
            Set<Scheduled> found =
                    AnnotatedElementUtils.getMergedRepeatableAnnotations(method, Scheduled.class, Schedules.class);
            return found.isEmpty() ? null : found;
        };
        return MethodIntrospector.selectMethods(type, lookup);
    }

    private void check(String name, Class<?> type, Method method, Set<Scheduled> annotations) {
        TaskGuard guard = guard();
        if (!guard.reason(name).isPresent()) {
            return;
        }
        MethodChecks.requireKnownEnd(name, method, type);
        boolean once = annotations.stream().anyMatch(TaskInstaller::isOneTime);
        if (once && !AnnotatedElementUtils.hasAnnotation(method, JobLocked.class)) {
            throw new IllegalStateException("The task '" + name
                    + "' is to be guarded and runs once after each start of a node: nodes share neither a time nor an interval for"
                    + " it. Exclude it with '!" + name
                    + "', or write @JobLocked on the method, so that its runs at least"
                    + " exclude one another");
        }
    }

    private static boolean isOneTime(Scheduled annotation) {
        return annotation.cron().isEmpty()
                && annotation.fixedDelay() < 0
                && annotation.fixedDelayString().isEmpty()
                && annotation.fixedRate() < 0
                && annotation.fixedRateString().isEmpty();
    }

    @Override
    public boolean requiresDestruction(Object bean) {
        return names.knows(bean);
    }

    @Override
    public void postProcessBeforeDestruction(Object bean, String beanName) {
        names.forget(bean);
        tasks.forget(bean);
    }

    /**
     * Logs the table, and looks for tasks of child contexts that ran past this guard. Called by Spring.
     *
     * @param event tells that a context has started, which may be a child
     * @throws IllegalStateException if a task that is to be guarded is not, or if strict and a pattern matches no task
     */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        ApplicationContext context = event.getApplicationContext();
        if (context.getAutowireCapableBeanFactory() == beans) {
            refreshed = true;
        }
        if (guard().isEnabled()) {
            UnguardedTasks.refuse(guard(), context, context.getAutowireCapableBeanFactory() == beans);
        }
        report();
    }

    private void scheduled(GuardingRegistrar registrar) {
        waiting.remove(registrar);
        report();
    }

    private void report() {
        if (refreshed && waiting.isEmpty() && !reported) {
            reported = true;
            tasks.started();
            TaskTable.report(guard(), tasks.known());
        }
    }

    /** The tasks of this context as they are now. */
    List<Tasks.KnownTask> known() {
        return tasks.known();
    }

    private TaskGuard guard() {
        return beans.getBean(guardName, TaskGuard.class);
    }
}
