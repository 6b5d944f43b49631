package dev.joblock.scheduling;

import dev.joblock.JobRun;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/** Stands in front of the {@link JobLocked} methods of one bean. Thread-safe. */
final class LockInterceptor implements MethodInterceptor {

    private final Map<Method, LockedMethod> methods;
    private final Supplier<TaskGuard> guards;

    LockInterceptor(Map<Method, LockedMethod> methods, Supplier<TaskGuard> guards) {
        this.methods = methods;
        this.guards = guards;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        TaskGuard guard = guards.get();
        if (target == null || !guard.isEnabled()) {
            return invocation.proceed();
        }
        LockedMethod locked =
                methods.get(AopUtils.getMostSpecificMethod(invocation.getMethod(), AopUtils.getTargetClass(target)));
        if (locked == null) {
            return invocation.proceed();
        }
        return new LockedCalls(guard.log())
                .call(
                        guard::service,
                        locked.id(),
                        () -> JobRun.exclusive(locked.job(target, invocation.getArguments()))
                                .withPolicy(locked.policy()),
                        guard.isDryRun(),
                        null,
                        invocation::proceed,
                        () -> NotRun.value(invocation.getMethod().getReturnType()));
    }

    boolean guards(Method method) {
        return methods.containsKey(method);
    }

    Iterable<Method> methods() {
        return methods.keySet();
    }
}
