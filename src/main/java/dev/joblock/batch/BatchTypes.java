package dev.joblock.batch;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Collection;
import java.util.Date;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.launch.JobLauncher;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * The classes of Batch that have moved between its versions, and how their objects are read: a property is a getter, or the
 * accessor of a record.
 *
 * <p>Stateless and thread-safe.
 */
final class BatchTypes {

    private static final String CORE = "org.springframework.batch.core.";

    static final Class<?> JOB = either("job.Job", "Job");
    static final Class<?> PARAMETERS = either("job.parameters.JobParameters", "JobParameters");
    static final Class<?> EXECUTION = either("job.JobExecution", "JobExecution");
    static final Class<?> STEP_EXECUTION = either("step.StepExecution", "StepExecution");
    static final Class<?> EXPLORER = either("repository.explore.JobExplorer", "explore.JobExplorer");

    private static final Class<?> ALREADY_RUNNING =
            either("launch.JobExecutionAlreadyRunningException", "repository.JobExecutionAlreadyRunningException");
    private static final Class<?> BUILDER = either("job.parameters.JobParametersBuilder", "JobParametersBuilder");

    private BatchTypes() {}

    /** Batch's own word for "this job runs already". */
    static Throwable alreadyRunning(String message, @Nullable Throwable cause) {
        Throwable exception = (Throwable) create(ALREADY_RUNNING, new Class<?>[] {String.class}, message);
        if (cause != null) {
            exception.initCause(cause);
        }
        return exception;
    }

    static boolean isAlreadyRunning(Throwable thrown) {
        return ALREADY_RUNNING.isInstance(thrown);
    }

    /** The same parameters and one more, which is identifying. */
    static Object withLong(Object parameters, String name, long value) {
        Object builder = create(BUILDER, new Class<?>[] {PARAMETERS}, parameters);
        call(builder, "addLong", new Class<?>[] {String.class, Long.class, boolean.class}, name, value, true);
        return required(call(builder, "toJobParameters", new Class<?>[0]), "toJobParameters");
    }

    static String jobName(Object job) {
        return (String) get(job, "name");
    }

    static long id(Object entity) {
        return ((Number) get(entity, "id")).longValue();
    }

    /** Whether the repository holds an execution of a job or step for running. */
    static boolean isUnfinished(Object execution) {
        Object status = get(execution, "status");
        return status == BatchStatus.STARTING
                || status == BatchStatus.STARTED
                || status == BatchStatus.STOPPING
                || (find(execution, "startTime") != null && find(execution, "endTime") == null);
    }

    /** An execution by its id, which is an object in early versions and a number later; null if there is none. */
    static @Nullable Object execution(Object explorer, long id) {
        Class<?> type = ClassUtils.hasMethod(EXPLORER, "getJobExecution", Long.class) ? Long.class : long.class;
        return call(explorer, EXPLORER, "getJobExecution", new Class<?>[] {type}, id);
    }

    static Collection<?> steps(Object execution) {
        return (Collection<?>) get(execution, "stepExecutions");
    }

    /** When an execution started, or was made if it has not; by the clock and zone of the node that wrote it. */
    static @Nullable Instant started(Object execution) {
        Object time = find(execution, "startTime");
        if (time == null) {
            time = find(execution, "createTime");
        }
        if (time instanceof Date) {
            return Instant.ofEpochMilli(((Date) time).getTime());
        }
        return time instanceof LocalDateTime
                ? ((LocalDateTime) time)
                        .atZone(TimeZone.getDefault().toZoneId())
                        .toInstant()
                : null;
    }

    /** Sets the end of a job's or step's execution, which is a date in Batch 4.3 and a local time later. */
    static void setEnd(Object execution, Instant end) {
        for (Method method : execution.getClass().getMethods()) {
            if (method.getName().equals("setEndTime") && method.getParameterCount() == 1) {
                Object time = method.getParameterTypes()[0] == Date.class
                        ? Date.from(end)
                        : LocalDateTime.ofInstant(end, TimeZone.getDefault().toZoneId());
                ReflectionUtils.invokeMethod(method, execution, time);
                return;
            }
        }
        throw new IllegalStateException(execution.getClass().getName() + " has no end time");
    }

    /** A property that there must be. */
    static Object get(Object object, String property) {
        return required(find(object, property), property);
    }

    /** A property, or null if it is. */
    static @Nullable Object find(Object object, String property) {
        Method accessor = accessor(object.getClass(), property);
        if (accessor == null) {
            throw new IllegalStateException(object.getClass().getName() + " has no property '" + property
                    + "'; is this a version of Spring Batch other than 4.3, 5.2 or 6.0?");
        }
        return ReflectionUtils.invokeMethod(accessor, object);
    }

    static @Nullable Object call(Object target, String method, Class<?>[] types, @Nullable Object... arguments) {
        return call(target, target.getClass(), method, types, arguments);
    }

    /** Calls a method as a type declares it, which may be an interface of a proxy; what it throws is thrown on. */
    static @Nullable Object call(
            Object target, Class<?> type, String name, Class<?>[] types, @Nullable Object... arguments) {
        Method method = ClassUtils.getMethod(type, name, types);
        ReflectionUtils.makeAccessible(method);
        return ReflectionUtils.invokeMethod(method, target, arguments);
    }

    private static @Nullable Method accessor(Class<?> type, String property) {
        String capitalized = StringUtils.capitalize(property);
        for (String name : new String[] {"get" + capitalized, "is" + capitalized, property}) {
            Method method = ClassUtils.getMethodIfAvailable(type, name);
            if (method != null) {
                ReflectionUtils.makeAccessible(method);
                return method;
            }
        }
        return null;
    }

    private static Object create(Class<?> type, Class<?>[] types, Object... arguments) {
        try {
            Constructor<?> constructor = type.getConstructor(types);
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(type.getName() + " can't be made", e.getTargetException());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type.getName() + " can't be made", e);
        }
    }

    private static Object required(@Nullable Object value, String what) {
        if (value == null) {
            throw new IllegalStateException("'" + what + "' is null");
        }
        return value;
    }

    /** A class where Batch 6 has it, or else where the earlier ones have it. */
    private static Class<?> either(String newer, String older) {
        ClassLoader loader = JobLauncher.class.getClassLoader();
        return ClassUtils.isPresent(CORE + newer, loader)
                ? ClassUtils.resolveClassName(CORE + newer, loader)
                : ClassUtils.resolveClassName(CORE + older, loader);
    }
}
