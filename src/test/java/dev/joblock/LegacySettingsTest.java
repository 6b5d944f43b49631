package dev.joblock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** How users describe a hand-written lock, and what they are told where it is not whole. */
class LegacySettingsTest {

    @Test
    void policyWithoutThemHasNone() {
        assertThat(policies(policy -> {}).policyFor("a").legacy()).isEmpty();
    }

    @Test
    void o2IsAKeyAndHasDefaults() {
        LegacyLock lock = lock(policy -> {
            policy.setLegacy("O2");
            policy.setLegacyKey("JOB_{job}");
            policy.setMaxHold("2h");
        });

        assertThat(lock.layout()).isEqualTo(LegacyLock.Layout.O2);
        assertThat(lock.key("sendMail")).isEqualTo("JOB_sendMail");
        assertThat(lock.field(0)).isEqualTo("ALL#ALL");
        assertThat(lock.timeout()).isEmpty();
        assertThat(lock.maxHold()).isEqualTo(Duration.ofHours(2));
    }

    @Test
    void o4IsAKeyAndAnIntervalAndHasDefaults() {
        LegacyLock lock = lock(policy -> {
            policy.setLegacy(" O4 ");
            policy.setLegacyKey("lock:{job}");
            policy.setLegacyIntervalKey("config:{job}");
            policy.setLegacyInterval("5m");
        });

        assertThat(lock.layout()).isEqualTo(LegacyLock.Layout.O4);
        assertThat(List.of(lock.field(0), lock.field(1))).containsExactly("status", "time");
        assertThat(lock.intervalKey("watch")).contains("config:watch");
        assertThat(lock.intervalField()).isEqualTo("intervaltime");
        assertThat(lock.interval()).contains(Duration.ofMinutes(5));
    }

    @Test
    void namesAreThoseOfTheTeam() {
        assertThat(lock(policy -> {
                            policy.setLegacy("O2");
                            policy.setLegacyKey("{job}.lock");
                            policy.setLegacyField("ALL|ALL");
                            policy.setLegacyTimeout("60s");
                        })
                        .field(0))
                .isEqualTo("ALL|ALL");
        LegacyLock o4 = lock(policy -> {
            policy.setLegacy("O4");
            policy.setLegacyKey("{job}");
            policy.setLegacyField("running, at");
            policy.setLegacyIntervalKey("cfg");
            policy.setLegacyIntervalField("minutes");
        });
        assertThat(List.of(o4.field(0), o4.field(1), o4.intervalField())).containsExactly("running", "at", "minutes");
    }

    @Test
    void keyWithoutTheJobsNameIsForOneJobOrOneLockName() {
        assertThat(lock(policy -> {
                            policy.setJobs("sendMail");
                            policy.setLegacy("O2");
                            policy.setLegacyKey("MAIL_LOCK");
                        })
                        .key("sendMail"))
                .isEqualTo("MAIL_LOCK");
        assertThat(lock(policy -> {
                            policy.setLockName("import");
                            policy.setLegacy("O2");
                            policy.setLegacyKey("IMPORT");
                        })
                        .key("import"))
                .isEqualTo("IMPORT");
        refused(
                policy -> {
                    policy.setLegacy("O2");
                    policy.setLegacyKey("MAIL_LOCK");
                },
                "has 'legacyKey' = 'MAIL_LOCK', one key for jobs that have a lock each; write {job} where the job's name"
                        + " stands, or make a policy for each job");
        refused(
                policy -> {
                    policy.setLockName("import");
                    policy.setLegacy("O2");
                    policy.setLegacyKey("JOB_{job}");
                },
                "has 'legacyKey' = 'JOB_{job}', a key for each job, and one lock name 'import' for all; write a key without"
                        + " {job} or leave lockName out");
    }

    @Test
    void layoutThatIsNoneIsRefusedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JobLockPolicy().setLegacy("O3"))
                .withMessage("'legacy' = 'O3' is no layout of a hand-written lock; write O2 or O4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JobLockPolicy().setLegacyKey(" "))
                .withMessage("'legacyKey' is blank; leave it out or write what the hand-written lock has");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JobLockPolicy().setLegacyTimeout("60"))
                .withMessageStartingWith("'legacyTimeout' = '60' has no unit");
    }

    @Test
    void whatIsMissingIsNamed() {
        refused(policy -> policy.setLegacy("O4"), "has legacy 'O4' and no 'legacyKey'");
        refused(
                policy -> policy.setLegacyField("x"),
                "says how a hand-written lock is kept, and 'legacy' is not set; set it to O2 or O4");
        refused(
                policy -> {
                    policy.setLegacy("O4");
                    policy.setLegacyKey("{job}");
                },
                "has legacy 'O4' and no interval; set 'legacyInterval', such as '5m', or 'legacyIntervalKey' to the key of"
                        + " the hash that holds it");
    }

    @Test
    void whatBelongsToTheOtherLayoutIsRefused() {
        refused(
                policy -> {
                    policy.setLegacy("O2");
                    policy.setLegacyKey("{job}");
                    policy.setLegacyInterval("5m");
                },
                "has 'legacyInterval', which belongs to legacy 'O4'; leave it out");
        refused(
                policy -> {
                    policy.setLegacy("O4");
                    policy.setLegacyKey("{job}");
                    policy.setLegacyInterval("5m");
                    policy.setLegacyTimeout("5m");
                },
                "has 'legacyTimeout', which belongs to legacy 'O2'; leave it out");
        refused(
                policy -> {
                    policy.setLegacy("O4");
                    policy.setLegacyKey("{job}");
                    policy.setLegacyInterval("5m");
                    policy.setLegacyField("status");
                },
                "has 'legacyField' = 'status', which must name two fields with legacy 'O4'; write them as 'status,time'");
    }

    @Test
    void modeTokenIsRefused() {
        refused(
                policy -> {
                    policy.setMode("token");
                    policy.setLegacy("O2");
                    policy.setLegacyKey("{job}");
                },
                "has legacy 'O2' in mode 'token', which keeps no hash beside another");
    }

    private static void refused(Consumer<JobLockPolicy> settings, String sentence) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policies(settings))
                .withMessageStartingWith("The policy for '*' " + sentence);
    }

    private static LegacyLock lock(Consumer<JobLockPolicy> settings) {
        return policies(settings).all().get(0).legacy().orElseThrow();
    }

    private static JobLockPolicies policies(Consumer<JobLockPolicy> settings) {
        JobLockPolicy policy = new JobLockPolicy();
        policy.setJobs("*");
        settings.accept(policy);
        return new JobLockPolicies(new JobLockPolicy(), List.of(policy));
    }
}
