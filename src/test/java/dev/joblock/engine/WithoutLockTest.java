package dev.joblock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Denied;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What runs while the store is down, and only where a policy says so. */
class WithoutLockTest {
    private final ManualEngine engine = new ManualEngine(policy());
    private final AtomicInteger runs = new AtomicInteger();

    private static JobLockPolicy policy() {
        JobLockPolicy policy = ManualEngine.policy("ping");
        policy.setWhenStoreDown("run");
        policy.setRetry("5m");
        return policy;
    }

    @AfterEach
    void close() {
        engine.service.close();
        engine.close();
    }

    @Test
    void storeDownSkipsByDefault() {
        engine.store.fail(StoreFault.UNREACHABLE, false);
        Denied denied = ManualEngine.denied(engine.service.run(JobRun.exclusive("other"), runs::incrementAndGet));

        assertThat(denied.isRunWithoutLock()).isFalse();
        assertThat(runs).hasValue(0);
    }

    @Test
    void storeDownRunsWhereThePolicySaysSo() {
        engine.store.fail(StoreFault.UNREACHABLE, false);
        Denied denied = ManualEngine.denied(engine.service.run(JobRun.exclusive("ping"), runs::incrementAndGet));

        assertThat(denied.isRunWithoutLock()).isTrue();
        assertThat(runs).hasValue(1);
        assertThat(engine.events.heard()).singleElement().asString().startsWith("denied ping: store down");
        assertThat(engine.service.askAgain(JobRun.exclusive("ping"), denied, grant -> runs.incrementAndGet()))
                .isFalse();
    }

    @Test
    void policyThatARunBringsIsHeardToo() {
        JobLockPolicy own = new JobLockPolicy();
        own.setWhenStoreDown("run");
        engine.store.fail(StoreFault.UNREACHABLE, false);
        engine.service.run(JobRun.exclusive("other").withPolicy(own), runs::incrementAndGet);

        assertThat(runs).hasValue(1);
    }

    @Test
    void heldIsNoStoreThatIsDown() {
        engine.store.then(Denied.byOutsider("x", null));
        engine.service.run(JobRun.exclusive("ping"), runs::incrementAndGet);

        assertThat(runs).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource(
            value = StoreFault.class,
            names = {"CLOSED", "FOREIGN_VALUE", "UNKNOWN_LAYOUT"},
            mode = Mode.INCLUDE)
    void storeThatIsUpAndRefusesIsNotDown(StoreFault fault) {
        engine.store.then(Denied.storeDown(fault, "no"));
        engine.service.run(JobRun.exclusive("ping"), runs::incrementAndGet);

        assertThat(runs).hasValue(0);
    }

    @Test
    void denialWithoutAskIsToldAndDecidedAlike() {
        Denied denied = engine.service.report(JobRun.exclusive("ping"), Denied.storeDown(StoreFault.SLOW, "many wait"));

        assertThat(denied.isRunWithoutLock()).isTrue();
        assertThat(engine.events.heard()).containsExactly("denied ping: store down: store slow, many wait");
    }

    @Test
    void oneWarningAMinute() {
        engine.store.fail(StoreFault.UNREACHABLE, false);
        for (int i = 0; i < 90; i++) {
            engine.service.run(JobRun.exclusive("ping"), runs::incrementAndGet);
            engine.pass(Duration.ofSeconds(1));
        }

        assertThat(runs).hasValue(90);
        assertThat(engine.logs.warnings()).hasSize(2).first().asString().contains("'ping' runs without lock");
    }
}
