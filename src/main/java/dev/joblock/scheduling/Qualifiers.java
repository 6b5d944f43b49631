package dev.joblock.scheduling;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Asks a Runnable for the scheduler that it is meant for, which Spring 6.1 and newer have. Stateless. */
final class Qualifiers {

    private static final @Nullable Method METHOD =
            ClassUtils.getMethodIfAvailable(SchedulingAwareRunnable.class, "getQualifier");

    private Qualifiers() {}

    static @Nullable String of(Runnable runnable) {
        return METHOD == null || !(runnable instanceof SchedulingAwareRunnable)
                ? null
                : (String) ReflectionUtils.invokeMethod(METHOD, runnable);
    }
}
