package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.cluster.Deliverer.Delivered;
import dev.joblock.cluster.FileCounts.Loading;
import dev.joblock.cluster.FileCounts.Version;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The file watch of the sample on four real Tomcats: partners deliver for a while, a Tomcat is killed while it loads a file,
 * and in the end everything that was delivered is compared with everything that is there.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FilesIT {

    private static final int NODES = 4;
    private static final int FILES = 520;
    private static final Duration CYCLE = Duration.ofSeconds(5);
    private static final Duration GRACE = Duration.ofSeconds(8);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String PREFIX =
            "joblock-files-it-" + ProcessHandle.current().pid() + ":";

    private Cluster cluster;
    private FileCounts counts;

    /** On a connection of the partners' own. */
    private FileCounts seen;

    private Tasks tasks;
    private PartnerServer partner;
    private Deliverer partners;

    /** From here on all four nodes were there. */
    private Instant begin;

    private Instant killed = Instant.MAX;
    private Loading cutShort = new Loading(0, "");

    @BeforeAll
    void startFourTomcatsAndThePartners() throws SQLException {
        partner = PartnerServer.start();
        Map<String, String> settings = new HashMap<>();
        settings.put("joblock.prefix", PREFIX);
        settings.put("joblock.lease", "10s"); // of a load; a starved machine must not lose it
        settings.put("sample.files.cron", "0/5 * * * * ?");
        settings.put("sample.files.secondsPerHour", "2");
        settings.put("sample.files.graceSeconds", String.valueOf(GRACE.toSeconds()));
        settings.put("sample.files.quietMillis", "300");
        settings.put("sample.tasks.timeoutMillis", "8000");
        settings.put("sample.load.workMillis", "200");
        settings.put("sample.report.askMillis", "1000");
        settings.put("sample.report.interval", "1000");
        settings.put("sample.urls.base", partner.address());
        settings.put("sample.urls.timeoutMillis", "20000");
        settings.put("sample.cleanUp.cron", "0 0 0 1 1 *");
        cluster = new Cluster(
                new ClusterOptions(ClusterOptions.from(System.getProperties()).redis(), NODES, 0, settings),
                Layout.from(System.getProperties(), "files-it"),
                FilesIT::say);
        cluster.start();
        begin = Instant.now();
        counts = new FileCounts(cluster.jdbcUrl());
        tasks = new Tasks(cluster.redis(), PREFIX);
        DeliveryPlan plan = new DeliveryPlan(2, 0.78, GRACE, Duration.ofSeconds(10));
        seen = new FileCounts(cluster.jdbcUrl());
        partners = Deliverer.start(
                cluster.inbox(),
                plan.deliveries(counts.expected()),
                before -> seen.isSeen(before.delivery().name(), before.file().checksum()));
    }

    @AfterAll
    void stop() throws SQLException {
        if (partners != null) {
            partners.close();
        }
        if (tasks != null) {
            tasks.close();
        }
        if (counts != null) {
            counts.close();
        }
        if (seen != null) {
            seen.close();
        }
        if (cluster != null) {
            cluster.close();
        }
        partner.close();
    }

    @Test
    @Order(1)
    void theIntervalOfTheReportIsChangedInRedisWhileTheNodesRun() throws SQLException {
        await().atMost(PATIENCE).until(() -> !counts.reports().isEmpty());
        Instant changed = Instant.now();
        tasks.setReportInterval("3s");

        List<Instant> reports = await().atMost(PATIENCE).until(() -> reportsAfter(changed), found -> found.size() >= 5);
        say("reports after the change: " + reports);
        // The nodes ask each second and more often than that. A row may be written late, so the whole is measured.
        assertThat(Duration.between(reports.get(0), reports.get(reports.size() - 1)))
                .isGreaterThan(
                        Duration.ofSeconds(3).multipliedBy(reports.size() - 1L).minusSeconds(2));
    }

    @Test
    @Order(2)
    void aTomcatIsKilledWhileItLoadsAFile() {
        cutShort = await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> betweenCycles() ? counts.loading().orElse(null) : null, found -> found != null);
        killed = Instant.now();
        TomcatNode victim = node(cutShort.node());
        victim.kill();
        say("Killed " + victim.name() + " while it loaded version " + cutShort.version());
    }

    @Test
    @Order(3)
    void everythingThatWasDeliveredIsSeenAndItsLoadEnds() {
        await().atMost(PATIENCE).until(partners::isDone);
        assertThat(partners.ledger()).extracting(one -> one.delivery().kind()).contains(Delivery.Kind.values());
        Set<String> delivered = delivered().keySet();
        say(partners.ledger().size() + " deliveries, " + delivered.size() + " versions");
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
            Map<String, Version> versions = counts.versions();
            Set<String> missing = new TreeSet<>(delivered);
            missing.removeAll(versions.keySet());
            assertThat(missing).isEmpty();
            assertThat(versions).hasSameSizeAs(delivered);
            assertThat(versions.values())
                    .allMatch(version -> version.status().equals("loaded")
                            || (version.status().equals("failed") && version.attempts() == 3));
        });
    }

    @Test
    @Order(4)
    void eachVersionIsLoadedOnceAndHoldsWhatWasDelivered() throws SQLException {
        Map<String, Version> versions = counts.versions();
        Map<String, List<String>> executions = counts.executions();
        Map<Long, Integer> rows = counts.rows();
        int sum = 0;
        for (Map.Entry<String, Delivered> entry : delivered().entrySet()) {
            Delivery delivery = entry.getValue().delivery();
            PartnerFile file = entry.getValue().file();
            Version version = Objects.requireNonNull(versions.get(entry.getKey()));
            assertThat(rows.getOrDefault(version.id(), 0))
                    .as("rows of " + delivery)
                    .isEqualTo(file.rows())
                    .isEqualTo(version.rows());
            assertThat(version.complete()).as("end mark of " + delivery).isEqualTo(file.complete());
            sum += file.rows();
            if (delivery.kind() == Delivery.Kind.GARBAGE) {
                assertThat(version.status()).isEqualTo("failed");
                continue;
            }
            assertThat(version.skipped()).as("skipped lines of " + delivery).isEqualTo(file.broken());
            assertThat(executions.get(entry.getKey()))
                    .as("executions for " + delivery)
                    .containsOnlyOnce("COMPLETED")
                    .hasSizeBetween(1, version.attempts());
            if (version.id() == cutShort.version()) {
                assertThat(executions.get(entry.getKey())).containsExactly("FAILED", "COMPLETED");
            }
        }
        assertThat(rows.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(sum);
        say(sum + " rows delivered and loaded, in " + executions.size() + " batch jobs of "
                + executions.values().stream().mapToInt(List::size).sum() + " executions");
    }

    @Test
    @Order(5)
    void theTasksOfTheKilledNodeWereTakenOver() throws SQLException {
        await().atMost(PATIENCE).until(() -> tasks.areFinished(killed));
        say("left tasks: " + counts.leftBy());
        assertThat(counts.leftBy()).anyMatch(consumer -> consumer.startsWith(cutShort.node() + "/"));
        assertThat(counts.watchers()).hasSizeGreaterThanOrEqualTo(NODES - 1);
    }

    @Test
    @Order(6)
    void eachFileIsQueuedOnceInEachCycleAndFourTimesWithoutTheGuard() {
        Instant end = Instant.now().minusSeconds(2);
        await().atMost(PATIENCE).until(() -> tasks.areFinished(end));
        Map<Instant, Map<String, Integer>> guarded = tasks.queued("tasks");
        Map<Instant, Map<String, Integer>> unguarded = tasks.queued("tasks-unguarded");
        List<Instant> cycles = cycles(begin.plusSeconds(2), end);
        say(cycles.size() + " cycles of " + FILES + " files, with the guard: " + sizes(guarded, cycles) + "; without: "
                + sizes(unguarded, cycles));

        assertThat(cycles).hasSizeGreaterThan(5);
        for (Instant cycle : cycles) {
            Map<String, Integer> once = guarded.getOrDefault(cycle, Map.of());
            Map<String, Integer> often = unguarded.getOrDefault(cycle, Map.of());
            assertThat(once).as("tasks of " + cycle).hasSize(FILES);
            assertThat(once.values()).as("tasks of " + cycle).containsOnly(1);
            int nodes = cycle.isBefore(killed) ? NODES : NODES - 1;
            assertThat(often).hasSize(FILES);
            assertThat(often.values()).as("unguarded tasks of " + cycle).containsOnly(nodes);
        }
    }

    @Test
    @Order(7)
    void filesThatAreLateBrokenOrSentAgainAreShown() throws Exception {
        Set<String> never =
                counts.expected().stream().map(Expected::name).collect(Collectors.toCollection(TreeSet::new));
        Set<String> late = new TreeSet<>();
        Map<String, Set<String>> contents = new TreeMap<>();
        for (Delivered delivered : partners.ledger()) {
            String name = delivered.delivery().name();
            never.remove(name);
            contents.computeIfAbsent(name, key -> new TreeSet<>())
                    .add(delivered.file().checksum());
            if (delivered.delivery().late()) {
                late.add(name);
            }
        }
        // The last file is due at half a minute after the start; that and the grace have passed.
        assertThat(counts.late(GRACE.toMillis())).containsAll(late).containsAll(never);
        Map<String, String> states = counts.states();
        contents.forEach((name, checksums) ->
                assertThat(states).containsEntry(name, checksums.size() == 1 ? "arrived" : "sent again"));
        never.forEach(name -> assertThat(states).containsEntry(name, "not arrived"));

        String lastBroken = lastBroken();
        URI node = cluster.nodes().stream()
                .filter(candidate -> candidate.process().isAlive())
                .findFirst()
                .orElseThrow()
                .address();
        assertThat(get(node.resolve("api/files?only=late&limit=1000")))
                .contains("\"name\":\"" + late.iterator().next() + "\"");
        assertThat(get(node.resolve("api/files?only=broken&limit=1000"))).contains("\"name\":\"" + lastBroken + "\"");
        assertThat(get(node.resolve("api/files/summary"))).contains("\"notArrived\":" + never.size() + ",");
        assertThat(get(node.resolve("api/cycles")))
                .contains("\"tasks\":" + FILES + "}", "\"tasks\":" + 3 * FILES + "}");
        assertThat(get(node.resolve("static/files.html"))).contains("files.js");
        assertThat(status(node.resolve("api/files"), "POST")).isEqualTo(HttpURLConnection.HTTP_BAD_METHOD);
    }

    @Test
    @Order(8)
    void eachUrlIsCalledOnceASlotAndAgainIfThePartnerWasAway() {
        Map<String, List<Integer>> bySlot = new TreeMap<>();
        partner.calls()
                .forEach(call -> bySlot.computeIfAbsent(call.slot(), key -> new ArrayList<>())
                        .add(call.status()));
        say("calls: " + bySlot);
        List<Instant> slots = slots(begin.plusSeconds(2), Instant.now().minusSeconds(5));
        assertThat(slots).hasSizeGreaterThan(1);
        for (Instant slot : slots) {
            String key = "callStockUpdate@" + slot;
            assertThat(bySlot.get(key))
                    .as(key)
                    .isEqualTo(PartnerServer.isAwayAtFirst(key) ? List.of(503, 204) : List.of(204));
        }
    }

    /** By name and checksum; content that was sent a second time is the same version. */
    private Map<String, Delivered> delivered() {
        Map<String, Delivered> all = new TreeMap<>();
        partners.ledger()
                .forEach(one -> all.put(one.delivery().name() + " " + one.file().checksum(), one));
        return all;
    }

    /** A file whose last content is a broken one. */
    private String lastBroken() {
        Map<String, Delivery.Kind> last = new TreeMap<>();
        partners.ledger()
                .forEach(one -> last.put(one.delivery().name(), one.delivery().kind()));
        return last.entrySet().stream()
                .filter(entry -> entry.getValue() != Delivery.Kind.WHOLE)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    private List<Instant> reportsAfter(Instant moment) throws SQLException {
        return counts.reports().stream().filter(at -> at.isAfter(moment)).toList();
    }

    /** Tasks are queued and URLs called when a cycle begins; the kill is to hit the load and not those. */
    private static boolean betweenCycles() {
        long phase = Instant.now().toEpochMilli() % CYCLE.toMillis();
        return phase > 2_500 && phase < 4_500;
    }

    private static List<Instant> cycles(Instant from, Instant to) {
        return grid(from, to, CYCLE, Duration.ZERO);
    }

    private static List<Instant> slots(Instant from, Instant to) {
        return grid(from, to, Duration.ofSeconds(10), Duration.ofSeconds(5));
    }

    private static List<Instant> grid(Instant from, Instant to, Duration step, Duration offset) {
        List<Instant> all = new ArrayList<>();
        long period = step.toMillis();
        Instant next = Instant.ofEpochMilli((from.toEpochMilli() / period + 1) * period)
                .plus(offset);
        for (; next.isBefore(to); next = next.plus(step)) {
            all.add(next);
        }
        return all;
    }

    private static Set<Integer> sizes(Map<Instant, Map<String, Integer>> queued, List<Instant> cycles) {
        return cycles.stream()
                .map(cycle -> queued.getOrDefault(cycle, Map.of()).values().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private TomcatNode node(String name) {
        return cluster.nodes().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String get(URI address) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setReadTimeout(20_000);
        try (var body = connection.getInputStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static int status(URI address, String method) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setRequestMethod(method);
        connection.setReadTimeout(20_000);
        return connection.getResponseCode();
    }

    /** Progress of a test that takes minutes, for whoever watches it. */
    @SuppressWarnings("SystemOut")
    private static void say(String line) {
        System.out.println("FilesIT: " + line);
    }
}
