package dev.joblock.scheduling;

import dev.joblock.JobPatterns;
import dev.joblock.JobRun;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;

/**
 * Advice for {@code <aop:config>}, as {@code <tx:advice>} is: calls of the methods that it names run under a lock, on one
 * thread of one node at a time. What a call does that does not get the lock, and which methods can't be guarded, is said at
 * {@link JobLocked}.
 *
 * <pre>{@code
 * <bean id="lockAdvice" class="dev.joblock.scheduling.JobLockAdvice">
 *     <property name="methods"><value>
 *         rebuild = rebuild-index
 *         clean*  = clean-up
 *     </value></property>
 * </bean>
 * <aop:config>
 *     <aop:advisor advice-ref="lockAdvice" pointcut="execution(* com.acme.Index.*(..))" order="0"/>
 * </aop:config>
 * }</pre>
 *
 * <p>With {@code <tx:advice>} on the same methods, give this one the lower order: the lock must be outside of the
 * transaction. To be set up before the context has started; then safe for many threads.
 */
public class JobLockAdvice implements MethodInterceptor, BeanFactoryAware {

    private final Map<JobPatterns, String> methods = new LinkedHashMap<>();
    private String guardName = "joblockTasks";

    @SuppressWarnings("NullAway.Init")
    private BeanFactory beans;

    private volatile @Nullable TaskGuard guard;

    /** Advice that guards every method to which it is applied. */
    public JobLockAdvice() {}

    /**
     * Which methods are guarded under which job name; all others go by unguarded. Default: all, each under the name of its
     * class and method, {@code com.acme.Index.rebuild}.
     *
     * @param methods patterns of method names such as {@code rebuild*}, each with the job's name; blank for the default
     */
    public final void setMethods(Properties methods) {
        this.methods.clear();
        for (String pattern : new TreeSet<>(methods.stringPropertyNames())) {
            this.methods.put(
                    JobPatterns.parse(pattern), methods.getProperty(pattern, "").trim());
        }
    }

    /**
     * The name of the {@link TaskGuard} bean, which knows the service and whether guarding is on.
     *
     * @param guardName {@code joblockTasks} by default
     */
    public final void setGuardName(String guardName) {
        this.guardName = guardName;
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = beanFactory;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Method method = target == null
                ? invocation.getMethod()
                : AopUtils.getMostSpecificMethod(invocation.getMethod(), AopUtils.getTargetClass(target));
        TaskGuard rules = guard();
        String job = rules.isEnabled() ? job(method) : null;
        if (job == null) {
            return invocation.proceed();
        }
        return new LockedCalls(rules.log())
                .call(
                        rules::service,
                        job,
                        () -> JobRun.exclusive(job),
                        rules.isDryRun(),
                        null,
                        invocation::proceed,
                        () -> NotRun.value(method.getReturnType()));
    }

    private TaskGuard guard() {
        TaskGuard known = guard;
        if (known == null) {
            known = beans.getBean(guardName, TaskGuard.class);
            guard = known;
        }
        return known;
    }

    /** The job of a method; null if it is not guarded. */
    @Nullable
    String job(Method method) {
        if (methods.isEmpty()) {
            return byName(method);
        }
        JobPatterns best = best(method);
        String job = best == null ? null : methods.get(best);
        return job == null ? null : job.isEmpty() ? byName(method) : job;
    }

    /** Whether a method is meant by its whole name rather than by a wildcard. */
    boolean namesExactly(Method method) {
        JobPatterns best = best(method);
        return best != null && best.included().contains(method.getName());
    }

    private @Nullable JobPatterns best(Method method) {
        JobPatterns best = null;
        int length = -1;
        for (JobPatterns patterns : methods.keySet()) {
            Optional<String> pattern = patterns.match(method.getName());
            if (pattern.isPresent() && pattern.get().length() > length) {
                best = patterns;
                length = pattern.get().length();
            }
        }
        return best;
    }

    private static String byName(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }
}
