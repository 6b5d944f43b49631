package dev.joblock.quartz;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.quartz.Scheduler;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Finds the scheduler beans of a context.
 *
 * <p>Stateless and thread-safe.
 */
final class Schedulers {

    private Schedulers() {}

    /** The schedulers of a bean factory and its ancestors; lazy ones too, as their jobs would run unguarded otherwise. */
    static Set<Scheduler> of(BeanFactory factory) {
        if (!(factory instanceof ListableBeanFactory)) {
            throw new IllegalStateException("Joblock's Quartz beans need a bean factory that lists its beans, not "
                    + factory.getClass().getName());
        }
        return distinct(BeanFactoryUtils.beansOfTypeIncludingAncestors(
                        (ListableBeanFactory) factory, Scheduler.class, false, true)
                .values());
    }

    private static Set<Scheduler> distinct(Collection<Scheduler> schedulers) {
        Set<Scheduler> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
        distinct.addAll(schedulers);
        return distinct;
    }
}
