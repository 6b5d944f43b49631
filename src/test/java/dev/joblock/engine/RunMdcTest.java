package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.Slot;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** What log lines of a thread carry while a job runs on it. */
class RunMdcTest {
    private final ManualEngine engine = new ManualEngine();

    @AfterEach
    void close() {
        engine.close();
        MDC.clear();
    }

    @BeforeEach
    void clear() {
        MDC.clear();
    }

    @Test
    void jobSlotAndTokenAreThereWhileTheJobRunsAndWhatWasThereBeforeComesBack() {
        MDC.put("joblock.slot", "the host's own");
        MDC.put("request", "7");
        Slot slot = Slot.last(Instant.parse("2026-01-01T03:00:00Z"), null, "");
        JobLock outer = lock(JobRun.slot("invoice", "x", slot));
        JobLock inner = lock(JobRun.exclusive("print"));
        engine.service.enter(outer);
        assertMdc("invoice", "2026-01-01T03:00:00Z", outer);
        engine.service.enter(inner);
        assertMdc("print", null, inner);
        engine.service.leave(inner);
        assertMdc("invoice", "2026-01-01T03:00:00Z", outer);
        engine.service.leave(outer);
        assertMdc(null, "the host's own", null);
        assertThat(MDC.get("request")).isEqualTo("7");
    }

    @Test
    void whatWasLeftOpenIsClearedWithTheOuterRun() {
        JobLock outer = lock(JobRun.exclusive("invoice"));
        engine.service.enter(outer);
        engine.service.enter(lock(JobRun.exclusive("print")));
        engine.service.leave(outer);
        assertMdc(null, null, null);
        engine.service.leave(outer);
        assertThat(engine.service.current()).isEmpty();
    }

    private JobLock lock(JobRun run) {
        return ((Granted) engine.service.tryLock(run)).lock();
    }

    private static void assertMdc(@Nullable String job, @Nullable String slot, @Nullable JobLock lock) {
        assertThat(MDC.get("joblock.job")).isEqualTo(job);
        assertThat(MDC.get("joblock.slot")).isEqualTo(slot);
        assertThat(MDC.get("joblock.token")).isEqualTo(lock == null ? null : Long.toString(lock.fencingToken()));
    }
}
