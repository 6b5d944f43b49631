package dev.joblock.engine;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import dev.joblock.Slot;
import dev.joblock.StoreDownRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The slots of this node that were held off by another run, until a later slot of their lane is granted: which of them were granted
 * to nobody, the store says with that grant. Remembers the newest hundred of a lane, and of two hundred lanes. Thread-safe.
 */
final class Overruns {

    static final int MOST_SLOTS = 100;
    static final int MOST_LANES = 200;

    /** A slot that was held off, and by whom. */
    static final class HeldOff {
        final JobRun run;
        final Denied denied;

        private HeldOff(JobRun run, Denied denied) {
            this.run = run;
            this.denied = denied;
        }

        Instant scheduled() {
            return run.slot().get().scheduled();
        }
    }

    /** One schedule of one trigger. */
    private static final class Lane {
        /** By the fire after it, which is what a slot keeps after a misfire. */
        final Map<Instant, HeldOff> slots = bounded(MOST_SLOTS);
        /** The last slot that another node was seen to be granted. */
        @Nullable
        Instant passed;
    }

    /** By lock name, lane and definition: marks of two definitions make no chain. */
    private final Map<List<String>, Lane> lanes = bounded(MOST_LANES);

    /** Hears of each denial. */
    synchronized void denied(String lockName, JobRun run, JobLockPolicy policy, Denied denied) {
        if (run.rule() != JobRun.Rule.SLOT || !denied.other().isPresent()) {
            return;
        }
        List<String> key = key(lockName, run);
        if (denied.reason() == DenialReason.HELD) {
            if (saysAll(policy)) {
                lanes.computeIfAbsent(key, it -> new Lane()).slots.putIfAbsent(end(run), new HeldOff(run, denied));
            }
            return;
        }
        Lane lane = lanes.get(key);
        Instant granted = denied.other().flatMap(RecordedRun::scheduled).orElse(null);
        if (lane != null && granted != null && !granted.equals(lane.passed)) {
            pass(key, lane, granted);
        }
    }

    /**
     * Hears of a run that has begun, or that nobody can take back.
     *
     * @param passedOver the first slot before it that was granted to nobody; null if there is none
     * @return the slots that are overrun, oldest first
     */
    synchronized List<HeldOff> begun(String lockName, JobRun run, @Nullable Instant passedOver) {
        List<HeldOff> overrun = new ArrayList<>();
        List<String> key = key(lockName, run);
        Lane lane = lanes.get(key);
        if (lane != null) {
            // The same slot, by whatever time a misfire has called it.
            lane.slots.remove(end(run));
            overrun.addAll(before(lane, run.slot().get().scheduled()));
            overrun.removeIf(slot -> passedOver == null || slot.scheduled().isBefore(passedOver));
            removeIfEmpty(key, lane);
        }
        return overrun;
    }

    /** A grant may be taken back still, while it is the last one of its lane; one that another has followed can't be. */
    private void pass(List<String> key, Lane lane, Instant granted) {
        if (lane.passed != null) {
            before(lane, lane.passed);
        }
        lane.passed = granted;
        removeIfEmpty(key, lane);
    }

    /** Takes out the slots before a time, oldest first. */
    private static List<HeldOff> before(Lane lane, Instant time) {
        List<HeldOff> taken = new ArrayList<>();
        for (Iterator<HeldOff> slots = lane.slots.values().iterator(); slots.hasNext(); ) {
            HeldOff slot = slots.next();
            if (slot.scheduled().isBefore(time)) {
                taken.add(slot);
                slots.remove();
            }
        }
        taken.sort(Comparator.comparing(HeldOff::scheduled));
        return taken;
    }

    private void removeIfEmpty(List<String> key, Lane lane) {
        if (lane.slots.isEmpty()) {
            lanes.remove(key);
        }
    }

    /** How many lanes something is remembered of. */
    synchronized int size() {
        return lanes.size();
    }

    /** Whether whoever runs the job moves its marks: not so the nodes with a hand-written lock, and those that run without lock. */
    private static boolean saysAll(JobLockPolicy policy) {
        return !policy.legacy().isPresent() && policy.whenStoreDown() != StoreDownRule.RUN;
    }

    private static Instant end(JobRun run) {
        return run.slot().flatMap(Slot::next).orElse(Instant.MAX);
    }

    private static List<String> key(String lockName, JobRun run) {
        return Arrays.asList(
                lockName, run.lane(), run.slot().map(Slot::definition).orElse(""));
    }

    private static <K, V> Map<K, V> bounded(int most) {
        return new LinkedHashMap<K, V>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }
}
