package dev.joblock.scheduling;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Calls of this method run under a lock: on one thread of one node at a time. On a scheduled cron method, once per slot over
 * all nodes. A call that does not get the lock does nothing and returns null, an empty {@code Optional}, or a completed
 * {@code CompletableFuture} of null.
 *
 * <p>A method that returns a {@code CompletionStage} keeps its lock until that is complete. A method that no proxy can see
 * (private, static, final, of a final class without interface, called through {@code this}) fails the start.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface JobLocked {

    /**
     * The job's name, which is the name of its lock unless a policy says otherwise. May hold placeholders ({@code ${region}})
     * and expressions ({@code #{#region}}, {@code #{#p0.id}}, {@code #{@regions.current}}) over the arguments.
     *
     * @return empty for {@code task:<bean>.<method>}
     */
    String job() default "";

    /**
     * How long a lease lasts without renewal, where no {@code JobLockPolicy} names the job. Placeholders are resolved.
     *
     * @return a duration such as {@code 2m}; empty for {@code joblock.lease}
     */
    String lease() default "";

    /**
     * How long one run is renewed at the most, where no {@code JobLockPolicy} names the job. Placeholders are resolved.
     *
     * @return a duration such as {@code 1h}; empty for {@code joblock.max-hold}
     */
    String maxHold() default "";
}
