package dev.joblock.batch;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.SingletonTargetSource;
import org.springframework.batch.core.launch.JobLauncher;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Puts the {@link BatchGuard} in front of every {@link JobLauncher} and {@link JobOperator} of the context that holds this
 * bean.
 *
 * <ul>
 *   <li>Batch's own launchers, and in Batch 6 its operators, are replaced by an object of a subclass, so that they can be
 *       injected by class and by interface, and so that what they call on themselves is guarded too.
 *   <li>Batch's operators up to 5.2 stay what they are; the launcher inside is guarded.
 *   <li>Foreign launchers get a proxy: by class where the class is not final, else by its interfaces.
 * </ul>
 *
 * <p>Thread-safe.
 */
public class GuardedLaunchers
        implements BeanPostProcessor, BeanFactoryAware, ApplicationListener<ContextRefreshedEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedLaunchers.class);

    /** Batch's launchers; the first up to 4.3, the second from 5.0 on, in 6.0 also as the parent of its operators. */
    private static final List<String> LAUNCHERS = Arrays.asList(
            "org.springframework.batch.core.launch.support.SimpleJobLauncher",
            "org.springframework.batch.core.launch.support.TaskExecutorJobLauncher");

    private final RunInterceptor interceptor = new RunInterceptor(this::guard);
    private String guardName = "joblockBatchGuard";
    private volatile @Nullable BatchGuard guard;

    @SuppressWarnings("NullAway.Init")
    private BeanFactory beans;

    /** Guards with the bean {@code joblockBatchGuard}. */
    public GuardedLaunchers() {}

    /**
     * The guard, by name, since it must not be made before all post-processors are.
     *
     * @param guard the name of a {@link BatchGuard} bean
     */
    public final void setGuard(String guard) {
        this.guardName = guard;
    }

    /**
     * Gives the bean factory that has the guard. Called by Spring.
     *
     * @param beanFactory the factory of this bean
     */
    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = beanFactory;
    }

    /**
     * Guards a launcher or operator. Called by Spring.
     *
     * @param bean any bean
     * @param beanName its name
     * @return what is used in its place
     */
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof JobLauncher || bean instanceof JobOperator) {
            return guarded(bean, beanName);
        }
        return bean;
    }

    /**
     * Warns of launchers in a child context, whose beans a post-processor of its parent does not see. Called by Spring.
     *
     * @param event tells that a context has started, which may be a child
     */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        ApplicationContext context = event.getApplicationContext();
        if (context.getAutowireCapableBeanFactory() != beans) {
            context.getBeansOfType(JobLauncher.class, false, false).forEach((name, launcher) -> {
                if (!isGuarded(launcher)) {
                    LOG.warn(
                            "The JobLauncher '{}' of the child context {} is not guarded; import"
                                    + " classpath:spring/joblock.xml in the context that declares it",
                            name,
                            context.getDisplayName());
                }
            });
        }
    }

    private Object guarded(Object bean, String name) {
        if (isGuarded(bean)) {
            return bean;
        }
        Object target = AopProxyUtils.getSingletonTarget(bean);
        if (target != null) {
            Object guardedTarget = guarded(target, name);
            if (guardedTarget != target) {
                ((Advised) bean).setTargetSource(new SingletonTargetSource(guardedTarget));
            }
            return bean;
        }
        if (bean instanceof JobLauncher) {
            return extendsBatch(bean.getClass()) ? Subclasses.inPlaceOf(bean, interceptor) : proxy(bean, name);
        }
        JobLauncher inside = Fields.read(bean, "jobLauncher", JobLauncher.class);
        if (inside == null) {
            warn(bean, name);
        } else {
            Object guardedInside = guarded(inside, name);
            if (guardedInside != inside) {
                Fields.write(bean, "jobLauncher", guardedInside);
            }
        }
        return bean;
    }

    private Object proxy(Object bean, String name) {
        if (bean instanceof JobOperator) {
            warn(bean, name);
        }
        ProxyFactory proxy = new ProxyFactory(bean);
        proxy.setProxyTargetClass(!Modifier.isFinal(bean.getClass().getModifiers())
                && !java.lang.reflect.Proxy.isProxyClass(bean.getClass()));
        proxy.addAdvice(interceptor);
        return proxy.getProxy(bean.getClass().getClassLoader());
    }

    private static void warn(Object bean, String name) {
        LOG.warn(
                "The JobOperator '{}' is a {}, none of Spring Batch's own: what it launches is guarded only where it calls a"
                        + " JobLauncher bean or is given job and parameters",
                name,
                bean.getClass().getName());
    }

    /** Whether a class is one of Batch's launchers, or of a class of the host that extends one. */
    private static boolean extendsBatch(Class<?> type) {
        if (Modifier.isFinal(type.getModifiers())) {
            return false;
        }
        for (Class<?> it = type; it != null; it = it.getSuperclass()) {
            if (LAUNCHERS.contains(it.getName())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isGuarded(Object bean) {
        if (bean instanceof Advised) {
            for (Advisor advisor : ((Advised) bean).getAdvisors()) {
                Advice advice = advisor.getAdvice();
                if (advice instanceof RunInterceptor) {
                    return true;
                }
            }
        }
        Object target = AopProxyUtils.getSingletonTarget(bean);
        return Subclasses.isGuarded(bean) || (target != null && isGuarded(target));
    }

    private BatchGuard guard() {
        BatchGuard found = guard;
        if (found == null) {
            found = Objects.requireNonNull(beans).getBean(guardName, BatchGuard.class);
            guard = found;
        }
        return found;
    }
}
