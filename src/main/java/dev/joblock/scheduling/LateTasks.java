package dev.joblock.scheduling;

import dev.joblock.JobLock;
import dev.joblock.JobLockException;
import dev.joblock.LateGrant;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.scheduling.TaskScheduler;

/**
 * Starts a task that was denied at its time and granted later, or that a person asks for, on the application's own scheduler:
 * its one {@code TaskScheduler} bean, or of several the one named {@code taskScheduler}, as Spring itself chooses. Thread-safe.
 */
final class LateTasks {

    private static final String NAME = "taskScheduler";

    private final BeanFactory beans;
    private final BooleanSupplier closing;
    /** Null before it was looked for; empty if there is none. */
    private volatile String @Nullable [] found;

    LateTasks(BeanFactory beans, BooleanSupplier closing) {
        this.beans = beans;
        this.closing = closing;
    }

    /** Whether there is a scheduler, so that it makes sense to ask again. */
    boolean isPossible() {
        return name() != null;
    }

    /** Has the scheduler run the work under the lock of a grant. */
    void start(LateGrant grant, Consumer<JobLock> work) {
        String name = name();
        if (name == null || closing.getAsBoolean()) {
            grant.refuse(name == null ? "there is no scheduler" : "the application is closing");
            return;
        }
        try {
            // A time that is past: at once.
            Object unused = beans.getBean(name, TaskScheduler.class)
                    .schedule(() -> grant.take().ifPresent(work), Instant.EPOCH);
        } catch (RuntimeException e) {
            grant.refuse("the scheduler '" + name + "' does not take it: " + e.getMessage());
        }
    }

    /**
     * Has the scheduler run a task now.
     *
     * @throws JobLockException with the reason if it does not
     */
    void startNow(Runnable task) {
        String name = name();
        if (name == null) {
            throw new JobLockException(
                    "it is a scheduled task of Spring, and there is no TaskScheduler bean to run it by"
                            + " hand; declare one, of several name one 'taskScheduler'");
        }
        if (closing.getAsBoolean()) {
            throw new JobLockException("the application is closing");
        }
        try {
            Object unused = beans.getBean(name, TaskScheduler.class).schedule(task, Instant.EPOCH);
        } catch (RuntimeException e) {
            throw new JobLockException("the scheduler '" + name + "' does not take it: " + e.getMessage(), e);
        }
    }

    /** Looked up once: a denial is on the path of a fire. */
    private @Nullable String name() {
        String[] known = found;
        if (known == null) {
            String name = lookUp();
            known = name == null ? new String[0] : new String[] {name};
            found = known;
        }
        return known.length == 0 ? null : known[0];
    }

    private @Nullable String lookUp() {
        if (!(beans instanceof ListableBeanFactory)) {
            return null;
        }
        String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                (ListableBeanFactory) beans, TaskScheduler.class, true, false);
        if (names.length == 1) {
            return names[0];
        }
        for (String name : names) {
            if (name.equals(NAME)) {
                return name;
            }
        }
        return null;
    }
}
