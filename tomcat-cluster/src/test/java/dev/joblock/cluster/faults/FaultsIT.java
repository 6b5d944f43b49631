package dev.joblock.cluster.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.cluster.faults.Records.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Faults that come from outside, on four processes and a real Redis; a test is a row of the table in docs/faults.md. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FaultsIT {

    private final Form form = Form.chosen();
    private final Report report = new Report();
    private Lab lab;
    private @Nullable Fleet fleet;
    private String fleetName = "";

    @BeforeAll
    void open() {
        lab = new Lab();
        lab.redis().start();
    }

    @BeforeEach
    void calm() {
        lab.calm();
    }

    @AfterAll
    void close() {
        if (fleet != null) {
            fleet.close();
        }
        if (lab != null) {
            lab.close();
        }
        say(report.table());
    }

    @Test
    @Order(10)
    void withoutAnyFaultEachSlotRunsOnce() {
        Row row = row(direct(), form.slots());
        Account account = row.settle();
        report.add("none, equal clocks", account);
        assertOnce(account);
        assertNoneMissed(account);
    }

    @Test
    @Order(20)
    void aHolderThatIsHaltedPastItsLeaseIsToldAndItsWriteRefused() {
        Fleet nodes = direct();
        for (String job : Mode.ALL) {
            lab.records().plan(job, 1_000, 0);
            Row row = row(nodes, 8);
            Run victim = row.awaitRun("a run of " + job, run -> run.job().equals(job) && run.ended() == null);
            lab.calm();
            Node node = nodes.node(victim.node());
            node.halt();
            Run next = row.awaitRun(
                    "a run of another node that has written",
                    run -> run.job().equals(job)
                            && run.started() > victim.started()
                            && !run.node().equals(victim.node())
                            && run.written().equals("ok"));
            node.goOn();
            Run late = row.awaitRun("the end of the halted run", run -> run.id() == victim.id() && run.ended() != null);
            Account account = row.settle();
            report.add(
                    "holder halted (SIGSTOP) past its lease, then continued: " + job,
                    account,
                    "the other node began " + seconds(next.started() - victim.started()) + " s after the halted run;",
                    "told: " + late.told() + ", its write: " + late.written() + ".");
            assertOnce(account);
            assertThat(late.told()).as("told").isTrue();
            assertThat(late.written()).as("its write").isEqualTo("stale");
        }
    }

    private Fleet direct() {
        return fleet("direct", () -> {
            Fleet nodes = new Fleet("direct", lab);
            for (int i = 1; i <= Fleet.NODES; i++) {
                nodes.add("faults/node.xml", List.of(), nodes.settings(form, i, lab.redis().address()), true);
            }
            return nodes;
        });
    }

    private Fleet fleet(String name, java.util.function.Supplier<Fleet> maker) {
        Fleet current = fleet;
        if (current != null && fleetName.equals(name)) {
            return current;
        }
        if (current != null) {
            current.close();
        }
        Fleet next = maker.get();
        fleet = next;
        fleetName = name;
        long start = System.nanoTime();
        next.start();
        say(name + ": four nodes take part after " + seconds(System.nanoTime() - start) + " s");
        return next;
    }

    private Row row(Fleet nodes, int slots) {
        return new Row(nodes, lab.records(), form.period(), slots);
    }

    private static void assertOnce(Account account) {
        for (String job : Mode.ALL) {
            assertThat(account.doubles(job)).as("slots of " + job + " run twice").isZero();
            assertThat(account.overlaps(job)).as("valid leases of " + job + " at once").isZero();
        }
        assertThat(account.differences()).as("the listeners' account").isEmpty();
    }

    private static void assertNoneMissed(Account account) {
        for (String job : Mode.ALL) {
            assertThat(account.missed(job)).as("slots of " + job + " missed").isZero();
        }
    }

    private static String seconds(long nanos) {
        return String.format(java.util.Locale.ROOT, "%.1f", nanos / 1e9);
    }

    @SuppressWarnings("SystemOut")
    private static void say(String text) {
        System.out.println(text);
    }
}
