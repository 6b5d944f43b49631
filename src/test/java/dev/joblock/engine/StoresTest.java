package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LegacyLock;
import dev.joblock.LockMode;
import dev.joblock.LockStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

/** The store of each policy, where the defaults name a hand-written lock. */
class StoresTest {
    private final LockStore store = Mockito.mock(LockStore.class);
    private final List<LegacyLock> asked = new ArrayList<>();

    StoresTest() {
        Mockito.when(store.withLegacy(Mockito.any())).then(call -> {
            asked.add(call.getArgument(0));
            return Mockito.mock(LockStore.class);
        });
    }

    private static JobLockPolicy legacy(String key) {
        JobLockPolicy policy = new JobLockPolicy();
        policy.setLegacy("O2");
        policy.setLegacyKey(key);
        return policy;
    }

    @Test
    void runsThatBringTheirPolicyShareOneStoreHoweverManyThereAre() {
        JobLockPolicies policies = new JobLockPolicies(legacy("JOB_{job}"), List.of());
        Stores stores = new Stores(Map.of(LockMode.HASH_TIMESTAMP, store), policies);
        LockStore ofDefaults = stores.of(policies.policyFor(""));

        for (int i = 0; i < 100; i++) {
            JobRun run = JobRun.exclusive("job" + i).withPolicy(new JobLockPolicy());
            assertThat(stores.of(policies.policyFor(run))).isSameAs(ofDefaults);
        }

        assertThat(asked).hasSize(1);
    }

    @Test
    void policiesWithOtherHandWrittenLocksHaveOtherStores() {
        JobLockPolicies policies = new JobLockPolicies(legacy("JOB_{job}"), List.of());
        Stores stores = new Stores(Map.of(LockMode.HASH_TIMESTAMP, store), policies);
        JobLockPolicy longer = new JobLockPolicy();
        longer.setMaxHold("48h");

        LockStore other = stores.of(policies.policyFor(JobRun.exclusive("job").withPolicy(legacy("LOCK_{job}"))));
        LockStore longest = stores.of(policies.policyFor(JobRun.exclusive("job").withPolicy(longer)));

        assertThat(other).isNotSameAs(stores.of(policies.policyFor("")));
        assertThat(longest).isNotSameAs(stores.of(policies.policyFor(""))).isNotSameAs(other);
    }
}
