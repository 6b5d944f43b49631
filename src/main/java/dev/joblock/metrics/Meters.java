package dev.joblock.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The meters that we have put into a registry, or nothing where there is none. Thread-safe. */
final class Meters {

    private final @Nullable MeterRegistry registry;
    private final Set<Meter> ours = ConcurrentHashMap.newKeySet();

    Meters(@Nullable MeterRegistry registry) {
        this.registry = registry;
    }

    boolean isOn() {
        return registry != null;
    }

    void count(String name, String... tags) {
        if (registry != null) {
            Counter counter = registry.counter(name, tags);
            ours.add(counter);
            counter.increment();
        }
    }

    void time(String name, long amount, TimeUnit unit, String... tags) {
        if (registry != null) {
            Timer timer = registry.timer(name, tags);
            ours.add(timer);
            timer.record(amount, unit);
        }
    }

    <T> void gauge(String name, T object, ToDoubleFunction<T> value) {
        if (registry != null) {
            ours.add(Gauge.builder(name, object, value).register(registry));
        }
    }

    void remove() {
        if (registry != null) {
            ours.forEach(registry::remove);
            ours.clear();
        }
    }
}
