package dev.joblock.cluster.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.joblock.cluster.HostPort;
import dev.joblock.cluster.faults.Records.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** What the rows need: one fleet at a time, which the next row goes on with where it asks for the same one. */
abstract class FaultSuite {

    private static final String NODE_XML = "faults/node.xml";

    final Form form = Form.chosen();
    private final Report report = new Report(form);
    private final List<Line> lines = new ArrayList<>();
    private @Nullable Lab lab;
    private @Nullable Fleet fleet;
    private String fleetName = "";

    @BeforeAll
    void open() {
        Lab opened = new Lab();
        lab = opened;
        opened.redis().start();
    }

    @BeforeEach
    void calm() {
        lab().calm();
        if (!redis().isWell()) { // a row that failed has left it so
            redis().start();
        }
    }

    @AfterAll
    void close() throws IOException {
        if (fleet != null) {
            fleet.close();
        }
        lines.forEach(Line::close);
        if (lab != null) {
            String redis = lab.redis().version();
            lab.close();
            say(report.table());
            report.writeIfAsked(redis);
        }
    }

    final Lab lab() {
        Lab opened = lab;
        if (opened == null) {
            throw new IllegalStateException("not opened");
        }
        return opened;
    }

    final FaultRedis redis() {
        return lab().redis();
    }

    /** Four nodes with true clocks on the shared Redis. */
    final Fleet direct() {
        return fleet("direct", nodes -> {
            for (int i = 1; i <= Fleet.NODES; i++) {
                nodes.add(NODE_XML, List.of(), settings(nodes, i, redis().address()), Duration.ZERO);
            }
        });
    }

    /** The same, and each job is run again where its node dies. */
    final Fleet rerunning() {
        return fleet("rerun", nodes -> {
            for (int i = 1; i <= Fleet.NODES; i++) {
                Map<String, String> settings = settings(nodes, i, redis().address());
                settings.put("joblock.rerun", "true");
                nodes.add(NODE_XML, List.of(), settings, Duration.ZERO);
            }
        });
    }

    /** Four nodes, each with a line of its own to the shared Redis. */
    final Fleet onLines() {
        return fleet("lines", nodes -> {
            for (int i = 1; i <= Fleet.NODES; i++) {
                Line line = new Line(redis().address());
                lines.add(line);
                nodes.add(NODE_XML, List.of(), settings(nodes, i, line.address()), Duration.ZERO);
            }
        });
    }

    /** The lines of {@link #onLines()}. */
    final List<Line> lines() {
        return List.copyOf(lines);
    }

    /**
     * Four nodes with clocks of their own.
     *
     * @param offsets such as {@code +1.5s}; blank for the true time
     * @param lags how long each answers after the others; null for longer than is waited for
     */
    final Fleet clocks(String name, List<String> offsets, List<@Nullable Duration> lags) {
        assumeFakeTime();
        return fleet(name, nodes -> {
            for (int i = 1; i <= Fleet.NODES; i++) {
                nodes.add(
                        NODE_XML,
                        FakeTime.constant(offsets.get(i - 1)),
                        settings(nodes, i, redis().address()),
                        lags.get(i - 1));
            }
        });
    }

    /** Four nodes whose clocks follow files, which say the true time at first. */
    final Fleet steppedClocks(List<Path> files, Duration lag) {
        assumeFakeTime();
        return fleet("stepped", nodes -> {
            for (int i = 1; i <= Fleet.NODES; i++) {
                Path file = files.get(i - 1);
                step(file, "+0s");
                nodes.add(NODE_XML, FakeTime.following(file), settings(nodes, i, redis().address()), lag);
            }
        });
    }

    static void step(Path file, String offset) {
        try {
            Files.writeString(file, offset + "\n");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Four nodes that follow Sentinel, with more settings if need be. */
    final Fleet following(Sentinels sentinels, String name, Map<String, String> more) {
        return fleet(name, nodes -> {
            for (int i = 1; i <= Fleet.NODES; i++) {
                Map<String, String> settings =
                        settings(nodes, i, sentinels.master().address());
                settings.keySet().removeAll(List.of("joblock.redis.host", "joblock.redis.port"));
                settings.put("joblock.redis.sentinel.master", Sentinels.MASTER);
                settings.put("joblock.redis.sentinel.nodes", sentinels.addresses());
                settings.putAll(more);
                nodes.add(NODE_XML, List.of(), settings, Duration.ZERO);
            }
        });
    }

    final Row row(Fleet nodes, int slots) {
        return new Row(nodes, lab().records(), form.period(), slots);
    }

    /** Lets one run of a job work for longer, and returns when it has begun. */
    final Run longRun(Row row, String job, Duration work) {
        lab().records().plan(job, work.toMillis(), 0);
        Run run = awaitLongRun(row, job, work);
        lab().calm();
        return run;
    }

    /** The same for a run in each mode. */
    final List<Run> longRuns(Row row, Duration work) {
        Mode.ALL.forEach(job -> lab().records().plan(job, work.toMillis(), 0));
        List<Run> runs =
                Mode.ALL.stream().map(job -> awaitLongRun(row, job, work)).toList();
        lab().calm();
        return runs;
    }

    private static Run awaitLongRun(Row row, String job, Duration work) {
        return row.awaitRun(
                "a long run of " + job, run -> run.job().equals(job) && run.workMillis() == work.toMillis());
    }

    /** So many slots as fall due in a time, at least as many as a row of this form has. */
    final int slotsIn(Duration time) {
        return Math.max(form.slots(), (int) time.dividedBy(form.period()) + 1);
    }

    final void report(String fault, Account account, String... sentences) {
        say(report.add(fault, account, sentences));
        account.differences().forEach(FaultSuite::say);
    }

    final void report(String fault, Account account, List<String> sentences) {
        report(fault, account, sentences.toArray(new String[0]));
    }

    static void assertOnce(Account account) {
        for (String job : Mode.ALL) {
            assertThat(account.doubles(job))
                    .as("slots of " + job + " run twice")
                    .isZero();
            assertThat(account.overlaps(job))
                    .as("valid leases of " + job + " at once")
                    .isZero();
        }
        assertThat(account.sum(account::runs)).as("runs").isPositive();
        assertSameAccount(account);
    }

    static void assertSameAccount(Account account) {
        assertThat(account.differences()).as("the listeners' account").isEmpty();
    }

    /** A machine that gets no breath may lose a slot to a budget or to a run before it; that is reported, and is no fault of the lock. */
    static void assertNoneMissed(Account account) {
        for (String job : Mode.ALL) {
            assertThat(account.missedSlots(job))
                    .as("slots of " + job + " missed")
                    .allMatch(slot -> account.isStarved(job, slot))
                    .hasSizeLessThanOrEqualTo(account.window().slots() / 5);
        }
    }

    final void assertMissedOnlyIn(Account account, List<Span> faults) {
        for (String job : Mode.ALL) {
            assertThat(account.missedSlots(job))
                    .as("slots of " + job + " missed, faults " + faults)
                    .allMatch(slot -> faults.stream().anyMatch(fault -> fault.excuses(slot, form.period())));
        }
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / 1e9);
    }

    @SuppressWarnings("SystemOut")
    static void say(String text) {
        System.out.println(text);
    }

    private Map<String, String> settings(Fleet nodes, int number, HostPort redis) {
        return nodes.settings(form, number, redis);
    }

    private Fleet fleet(String name, Consumer<Fleet> filling) {
        Fleet current = fleet;
        if (current != null && fleetName.equals(name)) {
            return current;
        }
        if (current != null) {
            current.close();
        }
        Fleet next = new Fleet(name, lab());
        filling.accept(next);
        fleet = next;
        fleetName = name;
        long start = System.nanoTime();
        next.start();
        say("faults: nodes '" + name + "' take part after " + seconds(System.nanoTime() - start) + " s");
        return next;
    }

    private static void assumeFakeTime() {
        boolean there = FakeTime.library().isPresent();
        String way = "libfaketime is not there, so that no clock can be faked: install it (Debian: apt-get install"
                + " faketime), or give its path with -Djoblock.faketime=/path/to/libfaketimeMT.so.1";
        if ("true".equals(System.getenv("CI"))) {
            assertThat(there).as(way).isTrue();
        }
        assumeTrue(there, way);
    }
}
