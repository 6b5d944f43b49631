package dev.joblock.batch;

import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.cglib.proxy.MethodProxy;

/**
 * Hands calls of {@code run} to the guard, and those of an operator's {@code start} that launch just what they are given; as
 * method of a subclass and as advice of a proxy. Thread-safe.
 */
final class RunInterceptor implements org.springframework.cglib.proxy.MethodInterceptor, MethodInterceptor {

    private final Supplier<BatchGuard> guard;

    RunInterceptor(Supplier<BatchGuard> guard) {
        this.guard = guard;
    }

    /** Whether a method is {@code run(Job, JobParameters)}. */
    static boolean isRun(Method method) {
        return method.getName().equals("run") && isLaunch(method);
    }

    private static boolean isLaunch(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return types.length == 2 && types[0] == BatchTypes.JOB && types[1] == BatchTypes.PARAMETERS;
    }

    @Override
    public @Nullable Object intercept(Object launcher, Method method, Object[] arguments, MethodProxy proxy)
            throws Throwable {
        return launch(
                arguments, launcher, (job, parameters) -> proxy.invokeSuper(launcher, new Object[] {job, parameters}));
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object[] arguments = invocation.getArguments();
        Method method = invocation.getMethod();
        boolean guarded = isLaunch(method)
                && (method.getName().equals("run")
                        || (method.getName().equals("start")
                                && arguments[0] != null
                                && BatchTypes.find(arguments[0], "jobParametersIncrementer") == null));
        if (!guarded) {
            return invocation.proceed();
        }
        return launch(
                arguments,
                invocation.getThis(),
                (job, parameters) -> ((ProxyMethodInvocation) invocation)
                        .invocableClone(job, parameters)
                        .proceed());
    }

    private @Nullable Object launch(Object[] arguments, @Nullable Object launcher, Proceeding proceeding)
            throws Throwable {
        Object job = arguments[0];
        Object parameters = arguments[1];
        if (job == null || parameters == null) {
            return proceeding.proceed(job, parameters);
        }
        JobRepository repository =
                launcher == null ? null : Fields.read(launcher, "jobRepository", JobRepository.class);
        return guard.get().launch(job, parameters, new LaunchCall() {
            @Override
            public @Nullable Object proceed(Object launched, Object with) throws Throwable {
                return proceeding.proceed(launched, with);
            }

            @Override
            public @Nullable JobRepository repository() {
                return repository;
            }
        });
    }

    /** How a call goes on. */
    private interface Proceeding {
        @Nullable
        Object proceed(Object job, Object parameters) throws Throwable;
    }
}
