package dev.joblock.scheduling;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.util.ReflectionUtils;

/** What stands in front of a bean, from the outermost inwards. For one thread. */
final class ProxyLayers {

    private static final Logger LOG = LoggerFactory.getLogger(TaskGuard.class);

    private final List<Advisor> advisors = new ArrayList<>();
    private boolean byClass;

    private ProxyLayers() {}

    static ProxyLayers of(Object bean) {
        ProxyLayers layers = new ProxyLayers();
        Object layer = bean;
        while (layer instanceof Advised) {
            Advised advised = (Advised) layer;
            for (Advisor advisor : advised.getAdvisors()) {
                layers.advisors.add(advisor);
            }
            layers.byClass |= AopUtils.isCglibProxy(layer);
            layer = target(advised.getTargetSource());
        }
        return layers;
    }

    private static @Nullable Object target(TargetSource source) {
        try {
            return source.isStatic() ? source.getTarget() : null;
        } catch (Exception e) {
            return null;
        }
    }

    /** Whether calls of a method with {@link JobLocked} are guarded. */
    boolean hasLock(Method method, Class<?> target) {
        for (Advisor advisor : advisors) {
            if (advisor.getAdvice() instanceof LockInterceptor
                    && ((LockInterceptor) advisor.getAdvice()).guards(AopUtils.getMostSpecificMethod(method, target))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Checks each method that a lock is in front of.
     *
     * @throws IllegalStateException if advice names a method that it can't reach
     */
    void check(String bean, Class<?> target) {
        if (advisors.stream().noneMatch(ProxyLayers::isLock)) {
            return;
        }
        for (Method method : ReflectionUtils.getUniqueDeclaredMethods(target, ReflectionUtils.USER_DECLARED_METHODS)) {
            int lock = first(method, target, true);
            if (lock >= 0) {
                String id = BeanNames.plain(bean, true) + "." + method.getName();
                checkAdvised(id, advisors.get(lock), method, target);
                int transaction = first(method, target, false);
                if (transaction >= 0 && transaction < lock) {
                    LOG.warn(
                            "The lock of '{}' is inside of its transaction: it ends before the commit, and the next holder may"
                                    + " read the old rows; give the lock's advisor the lower order, for example order=\"0\""
                                    + " on it and order=\"1\" on that of the transaction",
                            id);
                }
            }
        }
    }

    private void checkAdvised(String id, Advisor advisor, Method method, Class<?> target) {
        if (!(advisor.getAdvice() instanceof JobLockAdvice)) {
            return;
        }
        int modifiers = method.getModifiers();
        boolean exact = ((JobLockAdvice) advisor.getAdvice()).namesExactly(method);
        String start = "'" + id + "' is to be guarded by a JobLockAdvice and is ";
        if ((Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers))) {
            if (exact) {
                throw new IllegalStateException(start + (Modifier.isPrivate(modifiers) ? "private" : "static")
                        + ", so that no proxy sees its calls; make it a public method of the bean");
            }
            return;
        }
        if (byClass && Modifier.isFinal(modifiers)) {
            throw new IllegalStateException(
                    start + "final, so that calls go past the proxy of its class; take final away");
        }
        Class<?> type = method.getReturnType();
        if (type.isPrimitive() && type != void.class) {
            throw new IllegalStateException(start + "of type " + type.getName()
                    + ", which can't say that it did not run; let it return void or an object");
        }
        MethodChecks.requireKnownEnd(id, method, target);
        SelfCalls.refuse(id, method, target);
    }

    private int first(Method method, Class<?> target, boolean lock) {
        for (int i = 0; i < advisors.size(); i++) {
            Advisor advisor = advisors.get(i);
            if ((lock ? isLock(advisor) : isTransaction(advisor, method, target)) && applies(advisor, method, target)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean applies(Advisor advisor, Method method, Class<?> target) {
        if (advisor.getAdvice() instanceof JobLockAdvice && ((JobLockAdvice) advisor.getAdvice()).job(method) == null) {
            return false;
        }
        return !(advisor instanceof PointcutAdvisor)
                || ((PointcutAdvisor) advisor).getPointcut().getMethodMatcher().matches(method, target);
    }

    private static boolean isLock(Advisor advisor) {
        return advisor.getAdvice() instanceof LockInterceptor || advisor.getAdvice() instanceof JobLockAdvice;
    }

    /** Spring Data Redis brings the library. */
    private static boolean isTransaction(Advisor advisor, Method method, Class<?> target) {
        if (!(advisor.getAdvice() instanceof TransactionAspectSupport)) {
            return false;
        }
        TransactionAttributeSource source =
                ((TransactionAspectSupport) advisor.getAdvice()).getTransactionAttributeSource();
        return source == null || source.getTransactionAttribute(method, target) != null;
    }
}
