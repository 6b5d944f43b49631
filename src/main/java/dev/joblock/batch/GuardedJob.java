package dev.joblock.batch;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** A job as the launcher sees it for one launch: the same, but its run begins and ends under the lock. Thread-safe. */
final class GuardedJob implements InvocationHandler {

    /** The work of a run. */
    interface Body {
        void run() throws Throwable;
    }

    private final Object job;
    private final Launch launch;

    private GuardedJob(Object job, Launch launch) {
        this.job = job;
        this.launch = launch;
    }

    /** The job under a launch. */
    static Object of(Object job, Launch launch) {
        ClassLoader loader = job.getClass().getClassLoader();
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        interfaces.add(BatchTypes.JOB);
        for (Class<?> candidate : ClassUtils.getAllInterfacesForClass(job.getClass(), loader)) {
            if (Modifier.isPublic(candidate.getModifiers())) {
                interfaces.add(candidate);
            }
        }
        return Proxy.newProxyInstance(loader, interfaces.toArray(new Class<?>[0]), new GuardedJob(job, launch));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals("execute") && arguments != null && BatchTypes.EXECUTION.isInstance(arguments[0])) {
            launch.execute(arguments[0], () -> call(method, arguments));
            return null;
        }
        return call(method, arguments);
    }

    private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            ReflectionUtils.makeAccessible(method);
            return method.invoke(job, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
