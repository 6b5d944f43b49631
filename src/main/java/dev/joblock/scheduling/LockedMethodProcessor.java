package dev.joblock.scheduling;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Puts the lock of {@link JobLocked} methods in front of their beans, outside of what proxies do already, a transaction for
 * example. A bean without a proxy gets one of its class; of its interfaces only where its class is final. Needs no
 * {@code <aop:config>}.
 *
 * <p>The start fails, with the bean, the method and the way out, where calls of such a method would go past the lock. Thread-safe.
 */
public class LockedMethodProcessor
        implements BeanPostProcessor, BeanFactoryAware, BeanClassLoaderAware, SmartInitializingSingleton, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger(TaskGuard.class);

    private final String guardName;

    @SuppressWarnings("NullAway.Init")
    private ConfigurableListableBeanFactory beans;

    private @Nullable ClassLoader loader = ClassUtils.getDefaultClassLoader();

    /**
     * A processor.
     *
     * @param guardName the name of the {@link TaskGuard} bean, which is fetched at the first call
     */
    public LockedMethodProcessor(String guardName) {
        this.guardName = guardName;
    }

    /** After the proxies of {@code <aop:config>}, before that of {@code @Async}. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE - 1;
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = (ConfigurableListableBeanFactory) beanFactory;
    }

    @Override
    public void setBeanClassLoader(ClassLoader classLoader) {
        this.loader = classLoader;
    }

    /**
     * Puts the lock in front of a bean that has such methods. Called by Spring.
     *
     * @param bean any bean
     * @param beanName its name
     * @return the bean or its proxy
     * @throws IllegalStateException if a method can't be guarded
     */
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AopInfrastructureBean || bean instanceof Advisor) {
            return bean;
        }
        Class<?> target = AopProxyUtils.ultimateTargetClass(bean);
        Map<Method, LockedMethod> methods = methods(beanName, target);
        if (methods.isEmpty()) {
            return bean;
        }
        boolean advised = bean instanceof Advised && !((Advised) bean).isFrozen();
        boolean isFinal = Modifier.isFinal(bean.getClass().getModifiers());
        boolean jdk = advised ? AopUtils.isJdkDynamicProxy(bean) : isFinal;
        for (LockedMethod method : methods.values()) {
            MethodChecks.requireProxied(method, target, jdk);
            beans.getBean(guardName, TaskGuard.class).requireValid(method);
            SelfCalls.refuse(method.id(), method.method(), target);
        }
        Advisor advisor = advisor(methods);
        if (advised) {
            ((Advised) bean).addAdvisor(0, advisor);
            return bean;
        }
        ProxyFactory proxies = new ProxyFactory();
        proxies.setTarget(bean);
        proxies.setProxyTargetClass(!jdk);
        if (jdk) {
            for (Class<?> type : ClassUtils.getAllInterfacesForClass(bean.getClass(), loader)) {
                proxies.addInterface(type);
            }
        }
        proxies.addAdvisor(advisor);
        return proxies.getProxy(loader);
    }

    private Map<Method, LockedMethod> methods(String beanName, Class<?> target) {
        Map<Method, LockedMethod> methods = new LinkedHashMap<>();
        if (AnnotationUtils.isCandidateClass(target, JobLocked.class)) {
            String bean = BeanNames.plain(beanName, beans.containsBeanDefinition(beanName));
            MethodIntrospector.MetadataLookup<@Nullable Boolean> lookup =
                    method -> AnnotatedElementUtils.hasAnnotation(method, JobLocked.class) ? Boolean.TRUE : null;
            for (Method method : select(target, lookup)) {
                LockedMethod locked = LockedMethod.of(beans, bean, target, method);
                if (locked != null) {
                    methods.put(AopUtils.getMostSpecificMethod(method, target), locked);
                }
            }
        }
        return methods;
    }

    /** None where a library is missing that the class names somewhere: the host may never use that. */
    private static Set<Method> select(Class<?> target, MethodIntrospector.MetadataLookup<@Nullable Boolean> lookup) {
        try {
            return MethodIntrospector.selectMethods(target, lookup).keySet();
        } catch (LinkageError | IllegalStateException e) {
            LOG.debug("The methods of {} can't be looked through for @JobLocked", target, e);
            return Collections.emptySet();
        }
    }

    private Advisor advisor(Map<Method, LockedMethod> methods) {
        LockInterceptor interceptor = new LockInterceptor(methods, () -> beans.getBean(guardName, TaskGuard.class));
        return new DefaultPointcutAdvisor(
                new StaticMethodMatcherPointcut() {
                    @Override
                    public boolean matches(Method method, Class<?> type) {
                        return interceptor.guards(AopUtils.getMostSpecificMethod(method, type));
                    }
                },
                interceptor);
    }

    /**
     * Looks for beans that were made too early to be guarded, for methods that advice does not reach, and for locks inside of
     * transactions. Called by Spring.
     *
     * @throws IllegalStateException if a method that is to be guarded is not
     */
    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanDefinitionNames()) {
            Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
            if (bean != null && !(bean instanceof AopInfrastructureBean) && !(bean instanceof Advisor)) {
                check(name, bean);
            }
        }
    }

    private void check(String name, Object bean) {
        Class<?> target = AopProxyUtils.ultimateTargetClass(bean);
        ProxyLayers layers = ProxyLayers.of(bean);
        for (LockedMethod method : methods(name, target).values()) {
            if (!layers.hasLock(method.method(), target)) {
                throw new IllegalStateException(method + " has @JobLocked and runs unguarded: the bean '" + name
                        + "' was made before Joblock could put its lock in front of it, as part of a BeanPostProcessor for"
                        + " example; move the method to another bean");
            }
        }
        layers.check(name, target);
    }
}
