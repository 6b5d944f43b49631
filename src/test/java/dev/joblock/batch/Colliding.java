package dev.joblock.batch;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.springframework.batch.core.repository.JobRepository;

/** A job repository in which another launch comes first, a number of times. For one thread. */
final class Colliding {
    int thrown;
    private final RuntimeException collision;
    private final int times;

    Colliding(RuntimeException collision, int times) {
        this.collision = collision;
        this.times = times;
    }

    Object around(Object repository) {
        return Proxy.newProxyInstance(
                JobRepository.class.getClassLoader(),
                new Class<?>[] {JobRepository.class},
                (proxy, method, arguments) -> {
                    // Before Batch 6 the instance is created within this, too.
                    String create = Batch.SIX ? "createJobInstance" : "createJobExecution";
                    if (method.getName().equals(create) && thrown < times) {
                        thrown++;
                        throw collision;
                    }
                    try {
                        return method.invoke(repository, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }
}
