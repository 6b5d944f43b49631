package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.JobExecutionContext;
import org.quartz.impl.triggers.SimpleTriggerImpl;

/** The texts are those of Quartz; CallbacksIT hears them from Quartz itself, on each row. */
class ProofTest {
    private static final JobExecutionContext FIRE = fire();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Unable to notify TriggerListener(s) while firing trigger (Trigger and Job will NOT be fired!). trigger= g.t job= DEFAULT.invoice",
                "Unable to notify JobListener(s) of Job to be executed: (Job will NOT be executed!). trigger= g.t job= DEFAULT.invoice"
            })
    void failedNotificationEndsTheFire(String message) {
        assertThat(Proof.endsFire(message, FIRE)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Job (DEFAULT.invoice threw an exception.",
                "Job DEFAULT.invoice threw an exception.",
                "Please report this error to the Quartz developers.",
                "An error occured instantiating job to be executed. job= 'DEFAULT.invoice'",
                "Unable to notify TriggerListener(s) while firing trigger (Trigger and Job will NOT be fired!). trigger= g.t job= DEFAULT.other",
                "A job says: Unable to notify JobListener(s) of Job to be executed: trigger= g.t job= DEFAULT.invoice"
            })
    void anythingElseProvesNothing(String message) {
        assertThat(Proof.endsFire(message, FIRE)).isFalse();
    }

    @Test
    void otherTriggersFailureProvesNothing() {
        assertThat(Proof.endsFire(
                        "Unable to notify JobListener(s) of Job to be executed: (Job will NOT be executed!). trigger= g.u job= DEFAULT.invoice",
                        FIRE))
                .isFalse();
    }

    private static JobExecutionContext fire() {
        SimpleTriggerImpl trigger = new SimpleTriggerImpl();
        trigger.setName("t");
        trigger.setGroup("g");
        return Contexts.fire(null, QuartzNode.job("invoice"), trigger, null, false, Instant.EPOCH, null, null);
    }
}
