package dev.joblock.scheduling;

import dev.joblock.Durations;
import dev.joblock.JobLockPolicy;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;

/** What {@link JobLocked} says of one method of one bean. Immutable and thread-safe. */
final class LockedMethod {

    private static final Pattern EXPRESSION = Pattern.compile("#\\{(.*?)}");
    private static final Pattern VARIABLE = Pattern.compile("(?<![\\w'\"])#([A-Za-z_]\\w*)");
    private static final Pattern INDEX = Pattern.compile("[ap](\\d{1,4})");

    private final String id;
    private final Method method;
    private final Expression job;
    private final JobLockPolicy policy;
    private final ConfigurableBeanFactory beans;
    private final ParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();

    private LockedMethod(String id, Method method, JobLocked annotation, ConfigurableBeanFactory beans) {
        this.id = id;
        this.method = method;
        this.beans = beans;
        this.policy = policy(annotation);
        String text = resolved("job", annotation.job());
        this.job = parse(text.isEmpty() ? TaskGuard.PREFIX + id : text);
    }

    /**
     * Reads the annotation of a method.
     *
     * @param bean the bean's name as it is equal on all nodes
     * @return null if the method has none
     * @throws IllegalStateException with a sentence if the annotation is wrong
     */
    static @Nullable LockedMethod of(ConfigurableBeanFactory beans, String bean, Class<?> target, Method method) {
        Method specific = ClassUtils.getMostSpecificMethod(method, target);
        JobLocked annotation = AnnotatedElementUtils.findMergedAnnotation(specific, JobLocked.class);
        return annotation == null
                ? null
                : new LockedMethod(bean + "." + specific.getName(), specific, annotation, beans);
    }

    /** {@code bean.method}. */
    String id() {
        return id;
    }

    Method method() {
        return method;
    }

    /** The policy of its runs, where no policy of the application names the job. */
    JobLockPolicy policy() {
        return policy;
    }

    /**
     * The job's name for a call.
     *
     * @throws IllegalStateException with a sentence if the expression gives none
     */
    String job(Object target, Object[] arguments) {
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(target, method, arguments, names);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        String name = job.getValue(context, String.class);
        if (name == null || name.trim().isEmpty()) {
            throw new IllegalStateException("The job '" + job.getExpressionString() + "' of @JobLocked on '" + id
                    + "' is blank for the arguments " + Arrays.toString(arguments) + "; give each call a name");
        }
        return name;
    }

    /** The job's name where it is the same for each call, else null. */
    @Nullable
    String fixedJob() {
        return job instanceof LiteralExpression ? job.getExpressionString() : null;
    }

    private JobLockPolicy policy(JobLocked annotation) {
        JobLockPolicy own = new JobLockPolicy();
        String lease = resolved("lease", annotation.lease());
        String maxHold = resolved("maxHold", annotation.maxHold());
        try {
            if (!lease.isEmpty()) {
                own.setLease(lease);
            }
            if (!maxHold.isEmpty()) {
                own.setMaxHold(maxHold);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("@JobLocked on '" + id + "': " + e.getMessage());
        }
        if (own.maxHold().compareTo(own.lease()) < 0) {
            throw new IllegalStateException("@JobLocked on '" + id + "' has maxHold "
                    + Durations.format(own.maxHold()) + ", shorter than its lease " + Durations.format(own.lease())
                    + "; shorten the lease or lengthen maxHold");
        }
        return own;
    }

    private String resolved(String attribute, String text) {
        String value = beans.resolveEmbeddedValue(text);
        if (value != null && value.contains("${")) {
            throw new IllegalStateException("'" + attribute + "' = '" + text + "' of @JobLocked on '" + id
                    + "' holds a placeholder that nothing resolves; set what is missing");
        }
        return value == null ? "" : value.trim();
    }

    private Expression parse(String text) {
        requireVariables(text);
        try {
            return new SpelExpressionParser().parseExpression(text, new TemplateParserContext());
        } catch (ParseException e) {
            throw new IllegalStateException("The job '" + text + "' of @JobLocked on '" + id + "' can't be read: "
                    + e.getMessage() + "; write a name, or expressions as #{#region}");
        }
    }

    /** An unknown variable is null in an expression, which would put all calls under one name without a word. */
    private void requireVariables(String text) {
        Set<String> known = new LinkedHashSet<>();
        String[] found = names.getParameterNames(method);
        if (found != null) {
            known.addAll(Arrays.asList(found));
        }
        Matcher expression = EXPRESSION.matcher(text);
        while (expression.find()) {
            Matcher variable = VARIABLE.matcher(String.valueOf(expression.group(1)));
            while (variable.find()) {
                String name = String.valueOf(variable.group(1));
                Matcher index = INDEX.matcher(name);
                boolean indexed = index.matches()
                        && Integer.parseInt(String.valueOf(index.group(1))) < method.getParameterCount();
                if (!indexed && !known.contains(name) && !name.equals("this") && !name.equals("root")) {
                    throw new IllegalStateException("The job '" + text + "' of @JobLocked on '" + id + "' names '#"
                            + name + "', which is no argument; the arguments are " + known
                            + ", or #p0 for the first of " + method.getParameterCount()
                            + (known.isEmpty() && method.getParameterCount() > 0
                                    ? "; this Spring knows names of arguments only from code compiled with -parameters"
                                    : ""));
                }
            }
        }
    }

    @Override
    public String toString() {
        return "'" + id + "'";
    }
}
