package dev.joblock.quartz;

import java.lang.reflect.Proxy;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDetail;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.MethodInvoker;

/**
 * Knows names that nobody chose, which differ from one JVM to the next, and what to call a job instead.
 *
 * <p>Stateless and thread-safe.
 */
final class GeneratedNames {

    /**
     * A bean without id: a class name and a counter or identity hash, the same below a parent or factory bean, or an inner
     * bean; each may have a further counter. A name with {@code #} but without a dot before it is somebody's own.
     */
    private static final Pattern BEAN = Pattern.compile(
            "(?:[\\w$]+(?:\\.[\\w$]+)++|\\S+\\$(?:child|created)|\\(inner bean\\))#[0-9a-f]{1,8}(?:#[0-9]+)?");

    /** Quartz' {@code Key.createUniqueName} and whoever else puts a UUID into a name. */
    private static final Pattern UUID = Pattern.compile(
            ".*[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}.*", Pattern.DOTALL);

    /** The key under which Spring's {@code MethodInvokingJobDetailFactoryBean} puts itself into the data of its job. */
    private static final String METHOD_INVOKER = "methodInvoker";

    private GeneratedNames() {}

    static boolean isGenerated(String name) {
        return BEAN.matcher(name).matches() || UUID.matcher(name).matches();
    }

    /** What a job with a generated name is called: its target class and method, or its job class. */
    static String replacement(JobDetail job) {
        Object invoker = job.getJobDataMap().get(METHOD_INVOKER);
        if (invoker instanceof MethodInvoker) {
            String target = target((MethodInvoker) invoker);
            String method = ((MethodInvoker) invoker).getTargetMethod();
            if (target != null && method != null) {
                return target + "." + method;
            }
        }
        return className(job.getJobClass());
    }

    /** Asks for the target object only where its class tells nothing, since a target by bean name may not exist yet. */
    private static @Nullable String target(MethodInvoker invoker) {
        Class<?> type = invoker.getTargetClass();
        if (type != null && !Proxy.isProxyClass(type)) {
            return className(type);
        }
        Object target = invoker.getTargetObject();
        if (target != null) {
            return className(AopProxyUtils.ultimateTargetClass(target));
        }
        return type == null ? null : className(type);
    }

    /** The name of the class that somebody wrote: not of a subclass or proxy made at run time, whose name has a counter. */
    private static String className(Class<?> type) {
        Class<?> user = ClassUtils.getUserClass(type);
        boolean nameless = user == Object.class || Proxy.isProxyClass(user);
        if (nameless && type.getInterfaces().length > 0) {
            return type.getInterfaces()[0].getName();
        }
        return user.getName();
    }
}
