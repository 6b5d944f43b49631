package dev.joblock.config;

import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Collects every {@link JobLockPolicy} bean of the context and its ancestors. What is wrong with one is said with the name
 * of its bean.
 *
 * <p>To be set up before the context has started; its product is immutable.
 */
public class JobLockPoliciesFactoryBean implements FactoryBean<JobLockPolicies>, BeanFactoryAware, InitializingBean {

    private JobLockPolicy defaults = new JobLockPolicy();

    @SuppressWarnings("NullAway.Init")
    private ListableBeanFactory beans;

    private @Nullable JobLockPolicies product;

    /** A collection without defaults of its own. */
    public JobLockPoliciesFactoryBean() {}

    /**
     * What policies do not say themselves, and the policy of jobs that none names.
     *
     * @param defaults a policy without job patterns
     */
    public void setDefaults(JobLockPolicy defaults) {
        this.defaults = defaults;
    }

    @Override
    public void setBeanFactory(BeanFactory beans) {
        this.beans = (ListableBeanFactory) beans;
    }

    @Override
    public void afterPropertiesSet() {
        Map<String, JobLockPolicy> policies =
                BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, JobLockPolicy.class, true, true);
        Map<String, String> beanOfPattern = new HashMap<>();
        policies.forEach((name, policy) -> {
            requireValid(name, policy);
            for (String pattern : policy.jobs().included()) {
                String other = beanOfPattern.put(pattern, name);
                if (other != null) {
                    throw new IllegalStateException("The JobLockPolicy beans '" + other + "' and '" + name
                            + "' both have the job pattern '" + pattern
                            + "', so that neither goes before the other; keep it in one of them");
                }
            }
        });
        product = new JobLockPolicies(defaults, policies.values());
    }

    @Override
    public JobLockPolicies getObject() {
        return Objects.requireNonNull(product, "not set up yet");
    }

    @Override
    public Class<?> getObjectType() {
        return JobLockPolicies.class;
    }

    private void requireValid(String name, JobLockPolicy policy) {
        try {
            new JobLockPolicies(defaults, Collections.singleton(policy));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("The JobLockPolicy bean '" + name + "' is wrong: " + e.getMessage());
        }
    }
}
