package dev.joblock.scheduling;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanReference;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.ConstructorArgumentValues.ValueHolder;
import org.springframework.beans.factory.config.TypedStringValue;
import org.springframework.scheduling.support.ScheduledMethodRunnable;

/**
 * Knows which bean definition an object comes from, for those that are scheduled: beans with {@code @Scheduled} methods, the
 * Runnables of {@code <task:scheduled>}, Runnable beans. Thread-safe.
 */
final class TaskNames {

    private final ConfigurableListableBeanFactory beans;
    /** A host may make objects anew for each use, of which none is scheduled. */
    private final WeakNames names = new WeakNames();

    private final Map<String, String> inners = new HashMap<>();

    TaskNames(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** The name of a bean as it is equal on all nodes. */
    String plain(String beanName) {
        return BeanNames.plain(beanName, beans.containsBeanDefinition(beanName));
    }

    /**
     * Remembers a bean that has scheduled methods.
     *
     * @throws IllegalStateException if its name was generated, and another such bean would be called the same
     */
    void remember(Object bean, String beanName) {
        String plain = plain(beanName);
        boolean inner = BeanNames.isInner(beanName, beans.containsBeanDefinition(beanName));
        synchronized (inners) {
            if (inner && !beanName.equals(inners.computeIfAbsent(plain, any -> beanName))) {
                throw new IllegalStateException("Two inner beans of class '" + plain
                        + "' have scheduled methods, and nothing tells them apart on all nodes; give them ids");
            }
        }
        names.put(bean, plain);
    }

    /** Remembers a Runnable bean; one of {@code <task:scheduled>} by the bean and method that it calls. */
    void rememberRunnable(Runnable bean, String beanName) {
        String name = bean instanceof ScheduledMethodRunnable ? ofReference(beanName) : null;
        names.put(bean, name == null ? plain(beanName) + ".run" : name);
    }

    void forget(Object bean) {
        names.remove(bean);
    }

    boolean knows(Object bean) {
        return names.get(bean) != null;
    }

    /** The name of a task by what it runs; null if that comes from no bean. */
    @Nullable
    TaskName of(Runnable runnable) {
        String xml = names.get(runnable);
        if (runnable instanceof ScheduledMethodRunnable) {
            ScheduledMethodRunnable target = (ScheduledMethodRunnable) runnable;
            if (xml != null) {
                return new TaskName(xml, "xml", target);
            }
            String bean = names.get(target.getTarget());
            Method method = target.getMethod();
            return bean == null ? null : new TaskName(bean + "." + method.getName(), "annotation", target);
        }
        return xml == null ? null : new TaskName(xml, "xml", null);
    }

    /** {@code ref.method} as the definition has it; null if it is built otherwise. */
    private @Nullable String ofReference(String beanName) {
        if (!beans.containsBeanDefinition(beanName)) {
            return null;
        }
        BeanDefinition definition = beans.getBeanDefinition(beanName);
        ValueHolder bean = argument(definition, 0);
        ValueHolder method = argument(definition, 1);
        if (bean == null || method == null || !(bean.getValue() instanceof BeanReference)) {
            return null;
        }
        Object value = method.getValue();
        String name = value instanceof TypedStringValue ? ((TypedStringValue) value).getValue() : String.valueOf(value);
        return ((BeanReference) bean.getValue()).getBeanName() + "." + name;
    }

    private static @Nullable ValueHolder argument(BeanDefinition definition, int index) {
        ValueHolder indexed = definition
                .getConstructorArgumentValues()
                .getIndexedArgumentValues()
                .get(index);
        if (indexed != null) {
            return indexed;
        }
        List<ValueHolder> generic = definition.getConstructorArgumentValues().getGenericArgumentValues();
        Iterator<ValueHolder> rest = generic.iterator();
        ValueHolder found = null;
        for (int i = 0; i <= index; i++) {
            found = rest.hasNext() ? rest.next() : null;
        }
        return found;
    }
}
