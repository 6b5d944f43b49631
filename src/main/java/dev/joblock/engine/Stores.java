package dev.joblock.engine;

import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.LegacyLock;
import dev.joblock.LockMode;
import dev.joblock.LockStore;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The store of each policy: that of its mode, with the hand-written lock beside it that the policy names. Thread-safe. */
final class Stores {

    private final Map<LockMode, LockStore> byMode = new EnumMap<>(LockMode.class);
    /** By mode and hand-written lock, not by policy: that which a run brings is made complete anew at each ask. */
    private final Map<List<Object>, LockStore> withLegacy = new ConcurrentHashMap<>();

    /**
     * The stores of a service.
     *
     * @throws IllegalArgumentException if a policy's mode has no store, or one that keeps no hand-written lock beside it
     */
    Stores(Map<LockMode, LockStore> byMode, JobLockPolicies policies) {
        this.byMode.putAll(byMode);
        policies.all().forEach(this::require);
        require(policies.policyFor(""));
    }

    /** Null for a mode that no policy named. */
    @Nullable
    LockStore of(JobLockPolicy policy) {
        LockStore store = byMode.get(policy.mode());
        LegacyLock legacy = policy.legacy().orElse(null);
        if (store == null || legacy == null) {
            return store;
        }
        return withLegacy.computeIfAbsent(Arrays.asList(policy.mode(), legacy), any -> store.withLegacy(legacy));
    }

    private void require(JobLockPolicy policy) {
        if (of(policy) == null) {
            throw new IllegalArgumentException("The " + policy + " asks for mode '" + policy.mode()
                    + "', for which there is no store; there are " + byMode.keySet());
        }
    }
}
