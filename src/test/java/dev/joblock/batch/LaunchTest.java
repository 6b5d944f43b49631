package dev.joblock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaunchTest {

    /** Its lock would be renewed until its max hold, with no job at work. */
    @Test
    void anExecutionThatCannotBeReadGivesTheLockBack() {
        StubService service = new StubService();
        BatchGuard guard =
                new BatchGuard(service, new JobLockPolicies(new JobLockPolicy(), List.of()), new BatchRuns());
        JobLock lock = ((Granted) service.tryLock(JobRun.exclusive("batch:invoice"))).lock();
        Launch launch = new Launch(guard, lock, null);

        assertThatIllegalStateException()
                .isThrownBy(() -> launch.execute("no execution", () -> {
                    throw new AssertionError("ran");
                }));

        assertThat(service.ended).singleElement().asString().startsWith("batch:invoice: ");
        assertThat(service.current).isEmpty();
    }
}
