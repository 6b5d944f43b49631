package dev.joblock.testing;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A registry that writes down what becomes of its observations, and on which thread. */
public final class RecordedObservations implements ObservationHandler<Observation.Context> {
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final List<String> steps = new CopyOnWriteArrayList<>();
    private final List<Observation.Context> stopped = new CopyOnWriteArrayList<>();

    public RecordedObservations() {
        registry.observationConfig().observationHandler(this);
    }

    public ObservationRegistry registry() {
        return registry;
    }

    /** Such as {@code open joblock.run on main}. */
    public List<String> steps() {
        return steps;
    }

    public List<Observation.Context> stopped() {
        return stopped;
    }

    /** All key values of an observation. */
    public static Map<String, String> values(Observation.Context context) {
        Map<String, String> values = new TreeMap<>();
        for (KeyValue value : context.getAllKeyValues()) {
            values.put(value.getKey(), value.getValue());
        }
        return values;
    }

    /** The name of the observation in whose scope this thread is, or nothing. */
    public String current() {
        Observation current = registry.getCurrentObservation();
        return current == null
                ? "nothing"
                : Objects.requireNonNull(current.getContextView().getName());
    }

    private void add(String step, Observation.Context context) {
        steps.add(
                step + " " + context.getName() + " on " + Thread.currentThread().getName());
    }

    @Override
    public void onStart(Observation.Context context) {
        add("start", context);
    }

    @Override
    public void onError(Observation.Context context) {
        add("error", context);
    }

    @Override
    public void onScopeOpened(Observation.Context context) {
        add("open", context);
    }

    @Override
    public void onScopeClosed(Observation.Context context) {
        add("close", context);
    }

    @Override
    public void onStop(Observation.Context context) {
        add("stop", context);
        stopped.add(context);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return true;
    }
}
