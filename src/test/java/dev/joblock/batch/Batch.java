package dev.joblock.batch;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Date;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.launch.JobLauncher;
import org.springframework.util.ClassUtils;

/** Calls to Batch as a host makes them, for each version of it: what has moved is reached by name. */
final class Batch {
    static final boolean SIX = ClassUtils.isPresent("org.springframework.batch.core.job.Job", null);

    static final String INCREMENTER = "org.springframework.batch.core."
            + (SIX ? "job.parameters.RunIdIncrementer" : "launch.support.RunIdIncrementer");

    private Batch() {}

    /** Parameters: name, value, name, value; strings, longs and dates. */
    static Object parameters(Object... namesAndValues) {
        try {
            Class<?> type = Class.forName("org.springframework.batch.core."
                    + (SIX ? "job.parameters.JobParametersBuilder" : "JobParametersBuilder"));
            Object builder = type.getConstructor().newInstance();
            for (int i = 0; i < namesAndValues.length; i += 2) {
                String name = (String) namesAndValues[i];
                Object value = namesAndValues[i + 1];
                boolean identifying = !name.startsWith("-");
                String kind = value instanceof Long ? "Long" : value instanceof Date ? "Date" : "String";
                type.getMethod("add" + kind, String.class, value.getClass(), boolean.class)
                        .invoke(builder, identifying ? name : name.substring(1), value, identifying);
            }
            return type.getMethod("toJobParameters").invoke(builder);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    static Object run(Object launcher, Object job, Object parameters) throws Throwable {
        return call(launcher, JobLauncher.class, "run", job, parameters);
    }

    /** Calls the public method of a name whose parameters fit; what it throws is thrown. */
    static Object call(Object target, Class<?> type, String name, Object... arguments) throws Throwable {
        for (Method method : type.getMethods()) {
            if (method.getName().equals(name) && fits(method.getParameterTypes(), arguments)) {
                try {
                    return method.invoke(target, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getTargetException();
                }
            }
        }
        throw new AssertionError(type.getName() + " has no method " + name + " for these arguments");
    }

    /** What a call throws; an error if it does not. */
    static Throwable failure(Call call) {
        try {
            call.run();
        } catch (Throwable e) {
            return e;
        }
        throw new AssertionError("nothing was thrown");
    }

    static boolean isAlreadyRunning(@Nullable Throwable thrown) {
        return thrown != null && thrown.getClass().getSimpleName().equals("JobExecutionAlreadyRunningException");
    }

    static String status(Object execution) {
        return BatchTypes.get(execution, "status").toString();
    }

    static long id(Object execution) {
        return BatchTypes.id(execution);
    }

    static boolean hasMethod(Object target, String name, Class<?>... types) {
        return ClassUtils.hasMethod(target.getClass(), name, types);
    }

    /** A launcher that is none of Batch's own and hands all on to another one. */
    static JobLauncher foreignLauncher(JobLauncher inner) {
        return (JobLauncher) Proxy.newProxyInstance(
                JobLauncher.class.getClassLoader(), new Class<?>[] {JobLauncher.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(inner, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private static boolean fits(Class<?>[] types, Object[] arguments) {
        if (types.length != arguments.length) {
            return false;
        }
        for (int i = 0; i < types.length; i++) {
            if (!ClassUtils.isAssignableValue(types[i], arguments[i])) {
                return false;
            }
        }
        return true;
    }

    interface Call {
        void run() throws Throwable;
    }
}
