package dev.joblock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobLockPoliciesTest {

    @Test
    void longerPatternGoesBeforeAShorter() {
        JobLockPolicies policies = policies(lease("*", "1s"), lease("invoice*", "2s"), lease("inv*", "3s"));

        assertThat(policies.policyFor("invoiceNew").lease()).isEqualTo(Duration.ofSeconds(2));
        assertThat(policies.policyFor("inventory").lease()).isEqualTo(Duration.ofSeconds(3));
        assertThat(policies.policyFor("other").lease()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void policyThatExcludesAJobLeavesItToTheNext() {
        JobLockPolicies policies = policies(lease("invoice*,!invoiceOld", "2s"), lease("*", "1s"));

        assertThat(policies.policyFor("invoiceOld").lease()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void jobThatNoneMatchesHasTheDefaults() {
        JobLockPolicy defaults = new JobLockPolicy();
        defaults.setLease("7s");
        JobLockPolicies policies = new JobLockPolicies(defaults, List.of(lease("a", "1s")));

        assertThat(policies.find("b")).isEmpty();
        assertThat(policies.policyFor("b").lease()).isEqualTo(Duration.ofSeconds(7));
        assertThat(policies.policyFor("b").maxHold()).isEqualTo(Duration.ofHours(24));
        assertThat(policies.policyFor("b").mode()).isEqualTo(LockMode.HASH_TIMESTAMP);
        assertThat(policies.all()).hasSize(1);
    }

    @Test
    void whatAPolicyDoesNotSetComesFromTheDefaultsButNotTheLockName() {
        JobLockPolicy defaults = new JobLockPolicy();
        defaults.setLease("7s");
        defaults.setMaxHold("1h");
        defaults.setMinInterval("5m");
        defaults.setMode("status-time");
        JobLockPolicy own = new JobLockPolicy();
        own.setJobs("a*");
        own.setLockName("shared");
        own.setMaxHold("2h");
        JobLockPolicies policies = new JobLockPolicies(defaults, List.of(own));

        JobLockPolicy found = policies.policyFor("ab");
        assertThat(found.lease()).isEqualTo(Duration.ofSeconds(7));
        assertThat(found.maxHold()).isEqualTo(Duration.ofHours(2));
        assertThat(found.minInterval()).contains(Duration.ofMinutes(5));
        assertThat(found.mode()).isEqualTo(LockMode.STATUS_TIME);
        assertThat(found.lockName()).contains("shared");
        assertThat(found).hasToString("policy for 'a*': status-time, lease 7s");
        assertThat(policies.policyFor("b").lockName()).isEmpty();
    }

    @Test
    void theRunsOwnPolicyHoldsWhereNoneNamesTheJob() {
        JobLockPolicies policies = policies(lease("a", "1s"));
        JobLockPolicy own = new JobLockPolicy();
        own.setLease("9s");

        assertThat(policies.policyFor(JobRun.exclusive("a").withPolicy(own)).lease())
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(policies.policyFor(JobRun.exclusive("b").withPolicy(own)).lease())
                .isEqualTo(Duration.ofSeconds(9));
        assertThat(policies.policyFor(JobRun.exclusive("b")).lease()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void policyWithoutPatternsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policies(new JobLockPolicy()))
                .withMessage(
                        "A JobLockPolicy bean has no job patterns; set its property 'jobs', for example to 'reconcile*'");
    }

    @Test
    void twoEqualPatternsAreRefusedAlsoWithinOneBean() {
        String message =
                "The pattern 'a*' stands twice in JobLockPolicy beans, so that neither goes first; keep one of them";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policies(lease("a*", "1s"), lease("b,a*", "2s")))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policies(lease("a*, a*", "1s")))
                .withMessage(message);
    }

    @Test
    void maxHoldShorterThanTheLeaseIsRefused() {
        JobLockPolicy policy = lease("a", "2m");
        policy.setMaxHold("1m");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> policies(policy))
                .withMessage(
                        "The policy for 'a' has maxHold 1m, shorter than its lease 2m; shorten the lease or lengthen maxHold");
        policy.setMaxHold("2m");
        assertThat(policies(policy).policyFor("a").maxHold()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void wrongValuesAreRefusedWithTheirProperty() {
        JobLockPolicy policy = new JobLockPolicy();
        policy.setJobs("a");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.setLease("30"))
                .withMessage("'lease' = '30' has no unit; write for example 500ms, 30s, 5m, 24h or PT5M");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.setMaxHold("0s"))
                .withMessageStartingWith("'maxHold' = ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.setMinInterval("-1s"))
                .withMessageStartingWith("'minInterval' = '-1s' ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.setMode("hash"))
                .withMessageStartingWith("'mode' = 'hash' is no lock mode; write hash-timestamp, status-time");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.setLockName(" "))
                .withMessage("'lockName' of the policy for 'a' is blank; leave it out or give a name");
    }

    @Test
    void modesAreReadAsTheyAreWritten() {
        for (LockMode mode : LockMode.values()) {
            assertThat(LockMode.parse("mode", " " + mode + " ")).isEqualTo(mode);
        }
    }

    private static JobLockPolicies policies(JobLockPolicy... policies) {
        return new JobLockPolicies(new JobLockPolicy(), Arrays.asList(policies));
    }

    @Test
    void whatAPolicyDoesNotSayAboutFaultsComesFromTheDefaults() {
        JobLockPolicy defaults = new JobLockPolicy();
        defaults.setRetry("5m");
        defaults.setRerun("true");
        defaults.setWhenStoreDown("run");
        defaults.setInterruptOnLoss("true");
        JobLockPolicy own = lease("a", "1s");
        own.setRetry("0s");
        own.setWhenStoreDown("skip");

        JobLockPolicy a = new JobLockPolicies(defaults, List.of(own)).policyFor("a");

        assertThat(a.retry()).isZero();
        assertThat(a.whenStoreDown()).isEqualTo(StoreDownRule.SKIP);
        assertThat(a.reruns()).isTrue();
        assertThat(a.interruptsOnLoss()).isTrue();
    }

    @Test
    void aFlagIsTrueOrFalse() {
        assertThatThrownBy(() -> new JobLockPolicy().setRerun("1"))
                .hasMessage("'rerun' = '1' is neither true nor false; write one of them");
    }

    private static JobLockPolicy lease(String jobs, String lease) {
        JobLockPolicy policy = new JobLockPolicy();
        policy.setJobs(jobs);
        policy.setLease(lease);
        return policy;
    }

    @Test
    void whatExcludesInABatchJobIsTakenFromTheDefaultsToo() {
        JobLockPolicy defaults = new JobLockPolicy();
        defaults.setExclusive("job");
        defaults.setSlotParameter("true");
        JobLockPolicy own = new JobLockPolicy();
        own.setJobs("batch:report");
        own.setExclusive("parameters");
        own.setSlotParameter("false");
        JobLockPolicies policies = new JobLockPolicies(defaults, List.of(own));

        assertThat(policies.policyFor("batch:other").isJobExclusive()).isTrue();
        assertThat(policies.policyFor("batch:other").hasSlotParameter()).isTrue();
        assertThat(policies.policyFor("batch:report").isJobExclusive()).isFalse();
        assertThat(policies.policyFor("batch:report").hasSlotParameter()).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> own.setExclusive("instance"))
                .withMessage(
                        "'exclusive' = 'instance' is neither 'parameters' nor 'job'; write one of them or leave it out");
    }
}
