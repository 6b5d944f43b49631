package dev.joblock.scheduling;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

/** What is asked of methods that are to be guarded; each refusal is a sentence with the way out. Stateless. */
final class MethodChecks {

    private MethodChecks() {}

    /**
     * Requires that the lock can be held until the work has ended.
     *
     * @throws IllegalStateException if it would end before
     */
    static void requireKnownEnd(String name, Method method, Class<?> target) {
        Class<?> type = method.getReturnType();
        if (isReactive(type)) {
            throw new IllegalStateException("'" + name + "' is to be guarded and returns a " + type.getName()
                    + ", whose work begins after the method has returned, without its lock; return a CompletableFuture,"
                    + " for example by toFuture()");
        }
        boolean future = Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type);
        if (isAsync(method, target) && !future) {
            throw new IllegalStateException(
                    "'" + name + "' is to be guarded and is @Async without telling when it ends: its"
                            + " lock would end at once, while it works on; return a CompletableFuture, take @Async away, or write"
                            + " @JobLocked on a method that it calls");
        }
    }

    /**
     * Requires that a proxy can stand in front of a method with {@link JobLocked}.
     *
     * @param jdk whether the proxy has the bean's interfaces rather than its class
     * @throws IllegalStateException if calls would go past it, or it could not return
     */
    static void requireProxied(LockedMethod locked, Class<?> target, boolean jdk) {
        Method method = locked.method();
        String start = "'" + locked.id() + "' has @JobLocked and ";
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers)) {
            throw new IllegalStateException(start + "is private, so that no proxy sees its calls; make it public");
        }
        if (Modifier.isStatic(modifiers)) {
            throw new IllegalStateException(start
                    + "is static, so that no proxy sees its calls; make it a method of the bean, or call"
                    + " jobLockService.run in it");
        }
        if (jdk && !isOfInterface(method, target)) {
            throw new IllegalStateException(start + "no interface of its class " + target.getName()
                    + " has it, while the bean can only be proxied by interface"
                    + (Modifier.isFinal(target.getModifiers()) ? ", since its class is final" : "")
                    + "; add it to an interface, or let the class be proxied (not final, proxy-target-class=\"true\")");
        }
        if (!jdk && Modifier.isFinal(modifiers)) {
            throw new IllegalStateException(
                    start + "is final, so that calls go past the proxy of its class; take final away");
        }
        requireReturn(start, method, target);
    }

    private static void requireReturn(String start, Method method, Class<?> target) {
        Class<?> type = method.getReturnType();
        if (type.isPrimitive() && type != void.class) {
            throw new IllegalStateException(start + "returns " + type.getName()
                    + ", which can't say that it did not run; return void or "
                    + ClassUtils.resolvePrimitiveIfNecessary(type).getSimpleName() + ", which is null then");
        }
        if (isReactive(type)) {
            throw new IllegalStateException(
                    start + "returns a " + type.getName()
                            + ", whose work begins after the method has returned, without its lock; return a CompletableFuture");
        }
        if (Future.class.isAssignableFrom(type)
                && !CompletionStage.class.isAssignableFrom(type)
                && !isAsync(method, target)) {
            throw new IllegalStateException(start + "returns a " + type.getName()
                    + ", which does not tell when its work has ended; return a CompletableFuture");
        }
    }

    static boolean isAsync(Method method, Class<?> target) {
        Method specific = AopUtils.getMostSpecificMethod(method, target);
        return AnnotatedElementUtils.hasAnnotation(specific, Async.class)
                || AnnotatedElementUtils.hasAnnotation(target, Async.class);
    }

    private static boolean isOfInterface(Method method, Class<?> target) {
        for (Class<?> type : ClassUtils.getAllInterfacesForClass(target)) {
            if (ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes())) {
                return true;
            }
        }
        return false;
    }

    /** By name, since the library may be missing and Java 8 has no Flow. */
    private static boolean isReactive(@Nullable Class<?> type) {
        if (type == null) {
            return false;
        }
        if (type.getName().equals("org.reactivestreams.Publisher")
                || type.getName().equals("java.util.concurrent.Flow$Publisher")) {
            return true;
        }
        for (Class<?> parent : type.getInterfaces()) {
            if (isReactive(parent)) {
                return true;
            }
        }
        return isReactive(type.getSuperclass());
    }
}
