package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.cluster.Counts.Abandoned;
import dev.joblock.cluster.Counts.Denial;
import dev.joblock.cluster.Counts.Run;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** The sample on four real Tomcats, step by step on one cluster: the long count, a killed node, its return, the end. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterIT {

    private static final int NODES = 4;
    private static final int SLOTS = 60;
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final Duration REPORT = Duration.ofSeconds(15);

    /** As guard.xml of the sample has it. */
    private static final Duration LEASE = Duration.ofSeconds(3);

    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private static final List<SampleJob> GUARDED_CRONS = List.of(SampleJob.CHECK_DELIVERIES, SampleJob.REMIND_PARTNERS);

    private Cluster cluster;
    private Counts counts;
    /** Before that, four Tomcats that start on few cores can stand still for longer than a lease of 3 s. */
    private Instant ready = Instant.MAX;

    @BeforeAll
    void startFourTomcats() throws SQLException {
        HostPort redis = ClusterOptions.from(System.getProperties()).redis();
        Map<String, String> settings = Map.of(
                "joblock.prefix",
                "joblock-it-" + ProcessHandle.current().pid() + "-" + System.nanoTime() + ":",
                "sample.files.cron", // FilesIT is for the files
                "0 0 0 1 1 ?",
                "sample.report.cron",
                "0/2 * * * * ?",
                "sample.report.workMillis",
                String.valueOf(REPORT.toMillis()));
        cluster = new Cluster(
                new ClusterOptions(redis, NODES, 0, settings),
                Layout.from(System.getProperties(), "cluster-it"),
                ClusterIT::say);
        cluster.start();
        counts = new Counts(cluster.jdbcUrl());
        ready = Instant.now();
    }

    @AfterAll
    void stop() throws SQLException {
        if (counts != null) {
            counts.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    @Order(1)
    void everySlotOfAGuardedJobRunsOnOneNodeAndIsDeniedOnTheOtherThree() throws SQLException {
        Window window = Window.after(Instant.now().plusSeconds(1), PERIOD, SLOTS);
        awaitAnswers(window, NODES);

        for (SampleJob job : GUARDED_CRONS) {
            say(job.jobName() + ": runs " + counts.runsByNode(job, window) + ", denials "
                    + counts.denialsByReason(job, window));
            assertThat(counts.runsPerSlot(job, window)).as("runs of " + job).isEqualTo(window.each(1));
            assertThat(counts.denialsPerSlot(job, window))
                    .as("denials of " + job)
                    .isEqualTo(window.each(NODES - 1));
            // The run and the denials of a slot come from four different nodes.
            assertThat(counts.denials(job, window).stream()
                            .map(denial -> denial.slot() + denial.node())
                            .distinct())
                    .hasSize(SLOTS * (NODES - 1));
            assertThat(counts.denials(job, window))
                    .extracting(Denial::reason)
                    .as("why")
                    .isSubsetOf("taken", "passed", "held");
            assertThat(counts.runs(job, window))
                    .extracting(Run::token)
                    .as("fencing tokens of " + job)
                    .isSorted()
                    .doesNotHaveDuplicates();
        }
        SampleJob unguarded = SampleJob.CHECK_DELIVERIES_UNGUARDED;
        say(unguarded.jobName() + ": runs " + counts.runsByNode(unguarded, window));
        assertThat(counts.runsPerSlot(unguarded, window)).isEqualTo(window.each(NODES));
        assertThat(counts.denials(unguarded, window)).isEmpty();

        SampleJob interval = SampleJob.POLL_PARTNERS;
        int runs = counts.runs(interval, window).size();
        int denials = counts.denialsBetween(interval, window.begin(), window.end());
        int expected = (int) Duration.between(window.begin(), window.end()).dividedBy(INTERVAL);
        say(interval.jobName() + ": " + runs + " runs and " + denials + " denials in " + expected + " intervals");
        // One more may lie at the edge, and late asks may cost one or two.
        assertThat(runs).isBetween(expected - 2, expected + 1);
        // Each node asks once an interval.
        assertThat(runs + denials).isBetween((expected - 1) * NODES, (expected + 1) * NODES);
    }

    @Test
    @Order(2)
    void aRunLongerThanItsLeaseIsNeverJoinedByAnother() throws SQLException {
        List<Run> runs = counts.runs(SampleJob.BUILD_REPORT, ready, Instant.now()).stream()
                .filter(run -> run.ended() != null)
                .toList();

        say("buildReport: " + runs.size() + " runs of " + REPORT.toSeconds() + " s on a lease of " + LEASE.toSeconds()
                + " s");
        assertThat(runs).hasSizeGreaterThanOrEqualTo(6);
        for (int i = 0; i < runs.size(); i++) {
            Run run = runs.get(i);
            assertThat(Duration.between(run.started(), run.ended())).isGreaterThanOrEqualTo(REPORT.minusMillis(5));
            assertThat(i == 0 || !run.started().isBefore(runs.get(i - 1).ended()))
                    .as(run + " began after " + runs.get(Math.max(0, i - 1)) + " had ended")
                    .isTrue();
        }
        assertThat(counts.abandoned(SampleJob.BUILD_REPORT, ready)).isEmpty();
    }

    @Test
    @Order(3)
    void aKilledNodeCostsItsRunAndTheRestOfItsLeaseAndDisturbsNoOtherJob() throws SQLException {
        Run cutShort = awaitReportThatHasLongToGo();
        TomcatNode victim = node(cutShort.node());
        awaitMiddleOfPeriod();
        Instant killed = Instant.now();
        victim.kill();
        say("Killed " + victim.name() + " in the report of slot " + cutShort.slot());
        Window after = Window.after(killed, PERIOD, 6);

        // Listener and job body write on threads of their own.
        await().atMost(Duration.ofSeconds(20))
                .until(() -> !counts.abandoned(SampleJob.BUILD_REPORT, ready).isEmpty()
                        && !counts.runs(SampleJob.BUILD_REPORT, after).isEmpty());
        Abandoned abandoned = counts.abandoned(SampleJob.BUILD_REPORT, ready).get(0);
        Run next = counts.runs(SampleJob.BUILD_REPORT, after).get(0);
        say("Its run was found abandoned by " + abandoned.foundBy() + "; the next began "
                + Duration.between(killed, next.started()).toMillis() + " ms after the kill");
        assertThat(abandoned).isEqualTo(new Abandoned(cutShort.slot(), cutShort.node(), cutShort.token(), next.node()));
        assertThat(next.node()).isNotEqualTo(victim.name());
        assertThat(next.token()).isGreaterThan(cutShort.token());
        // The lease was renewed each second until the kill, and the slot after its end is at most one period away.
        assertThat(Duration.between(killed, next.started()))
                .isBetween(LEASE.minusMillis(1_500), LEASE.plus(PERIOD).plusMillis(1_500));
        assertThat(counts.denials(SampleJob.BUILD_REPORT, after))
                .filteredOn(denial -> denial.slot().isBefore(next.slot()))
                .isNotEmpty()
                .allSatisfy(denial -> {
                    assertThat(denial.reason()).isEqualTo("held");
                    assertThat(denial.holder()).isEqualTo(victim.name());
                });

        awaitAnswers(after, NODES - 1);
        for (SampleJob job : GUARDED_CRONS) {
            assertThat(counts.runsPerSlot(job, after)).as("runs of " + job).isEqualTo(after.each(1));
            assertThat(counts.denialsPerSlot(job, after))
                    .as("denials of " + job)
                    .isEqualTo(after.each(NODES - 2));
        }
        assertThat(counts.abandoned(SampleJob.BUILD_REPORT, ready))
                .as("recorded once")
                .hasSize(1);
        assertThat(counts.runs(
                        SampleJob.BUILD_REPORT, cutShort.slot(), cutShort.slot().plusMillis(1)))
                .as("never run again")
                .hasSize(1);
    }

    @Test
    @Order(4)
    void aNodeThatComesBackTakesPartAgainAndRepeatsNothing() throws SQLException {
        TomcatNode back = cluster.nodes().stream()
                .filter(node -> !node.process().isAlive())
                .findFirst()
                .orElseThrow();
        Instant begin = Instant.now();
        back.start();
        back.awaitReady();
        Window window = Window.after(Instant.now().plusSeconds(1), PERIOD, 5);
        awaitAnswers(window, NODES);

        for (SampleJob job : GUARDED_CRONS) {
            assertThat(counts.runsPerSlot(job, window)).isEqualTo(window.each(1));
            assertThat(counts.denialsPerSlot(job, window)).isEqualTo(window.each(NODES - 1));
            // Also in the seconds of its start, where Quartz fires the slot of that very second late.
            assertThat(counts.runs(job, begin, window.end()))
                    .extracting(Run::slot)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    @Order(5)
    void everyNodeShowsTheSlotsAsAPageAndAsJson() throws IOException {
        for (TomcatNode node : cluster.nodes()) {
            assertThat(get(node.address().resolve("api/slots")))
                    .contains(
                            "\"job\":\"checkDeliveries\"", "\"answer\":\"ran\"", "\"answer\":\"taken\"", "\"runs\":1");
            assertThat(get(node.address())).contains("<title>Joblock sample</title>", "page.js");
            assertThat(get(node.address().resolve("static/page.js"))).contains("textContent");
            for (String page : List.of("", "static/page.js", "static/page.css")) {
                assertThat(node.address().resolve(page).toURL().openConnection().getContentType())
                        .endsWith("charset=UTF-8");
            }
            assertThat(get(node.address().resolve("health"))).contains("\"node\":\"" + node.name() + "\"");
            assertThat(get(node.address().resolve("metrics")))
                    .containsPattern("joblock_attempts_total\\{job=\"checkDeliveries\",outcome=\"taken\"} [1-9]");
        }
    }

    @Test
    @Order(6)
    void afterTheStopNothingIsLeft() throws SQLException {
        List<ProcessHandle> started = cluster.processes();
        List<Integer> ports =
                cluster.nodes().stream().map(node -> node.address().getPort()).toList();
        counts.close();

        cluster.close();

        assertThat(started).hasSizeGreaterThanOrEqualTo(NODES + 1).noneMatch(ProcessHandle::isAlive);
        assertThat(ports).noneMatch(ClusterIT::isListening);
    }

    /** Waits until so many nodes have answered to each slot, telling how far it is. */
    private void awaitAnswers(Window window, int nodes) {
        int[] told = {0};
        await().atMost(window.period().multipliedBy(window.slots()).plusSeconds(20))
                .pollInterval(Duration.ofMillis(250))
                .until(() -> {
                    int least = Integer.MAX_VALUE;
                    for (SampleJob job : GUARDED_CRONS) {
                        least = Math.min(
                                least,
                                counts.runs(job, window).size()
                                        + counts.denials(job, window).size());
                    }
                    least = Math.min(
                            least,
                            counts.runs(SampleJob.CHECK_DELIVERIES_UNGUARDED, window)
                                    .size());
                    if (least / nodes >= told[0] + 10) {
                        told[0] = least / nodes;
                        say(told[0] + " of " + window.slots() + " slots answered by all " + nodes + " nodes");
                    }
                    return least >= window.slots() * nodes && Instant.now().isAfter(window.end());
                });
    }

    /** A report that still works when any lease of three seconds has ended. */
    private Run awaitReportThatHasLongToGo() {
        return await().atMost(REPORT.plusSeconds(10))
                .until(
                        () -> counts.running(SampleJob.BUILD_REPORT),
                        run -> run.isPresent()
                                && run.get().started().plusSeconds(2).isBefore(Instant.now())
                                && run.get().started().plusSeconds(8).isAfter(Instant.now()))
                .orElseThrow();
    }

    /** The short jobs run at even seconds; a second later none does, so that the kill cuts nothing but the report. */
    private static void awaitMiddleOfPeriod() {
        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            long phase = Instant.now().toEpochMilli() % PERIOD.toMillis();
            return phase > 900 && phase < 1_200;
        });
    }

    private TomcatNode node(String name) {
        return cluster.nodes().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String get(URI address) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setReadTimeout(5_000);
        try (var body = connection.getInputStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static boolean isListening(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Progress of a test that takes minutes, for whoever watches it. */
    @SuppressWarnings("SystemOut")
    private static void say(String line) {
        System.out.println("ClusterIT: " + line);
    }
}
