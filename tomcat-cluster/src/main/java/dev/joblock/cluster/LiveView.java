package dev.joblock.cluster;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Prints the addresses of a running cluster and then, line by line, what its nodes do. To be used by one thread. */
final class LiveView {

    private static final long POLL_MS = 250;
    private static final Duration LOOK_BACK = Duration.ofSeconds(20);
    private static final int LINES_PER_HEADER = 30;
    private static final Duration FILES = Duration.ofSeconds(10);

    /** What partners do is the same in every run, and fits sample.properties. */
    private static final long SEED = 6;

    private static final double NEVER = 0.03;
    private static final Duration GRACE = Duration.ofSeconds(15);
    private static final Duration GAP = Duration.ofSeconds(30);

    private final Cluster cluster;
    private final PrintStream out;
    private final Set<ProcessHandle> seenEnded = new HashSet<>();
    private long lastAbandoned;
    private int linesToHeader;
    private String lastSlot = "";
    private Instant lastFiles = Instant.MIN;

    LiveView(Cluster cluster, PrintStream out) {
        this.cluster = cluster;
        this.out = out;
    }

    /** Shows the cluster until the latch is open. */
    void show(CountDownLatch until) throws SQLException, InterruptedException {
        printAddresses();
        List<String> names = cluster.nodes().stream().map(TomcatNode::name).toList();
        LiveTable table = new LiveTable(names, ZoneId.systemDefault(), Instant.now());
        LiveTable.legend().forEach(line -> out.println("  " + line));
        try (Evidence evidence = new Evidence(cluster.jdbcUrl());
                Deliverer partners = deliver(evidence.connection())) {
            FilesView files = new FilesView(evidence.connection());
            while (!until.await(POLL_MS, TimeUnit.MILLISECONDS)) {
                printEnded();
                printAbandoned(evidence.abandonedAfter(lastAbandoned));
                for (String line : table.add(evidence.answers(LOOK_BACK), Instant.now())) {
                    printHeaderIfDue(table, line);
                    out.println("  " + line);
                }
                printFiles(files, partners);
            }
        }
    }

    private Deliverer deliver(Connection connection) throws SQLException {
        DeliveryPlan plan = new DeliveryPlan(SEED, NEVER, GRACE, GAP);
        return Deliverer.start(cluster.inbox(), plan.deliveries(Expected.read(connection)), before -> true);
    }

    private void printAddresses() {
        out.println();
        for (TomcatNode node : cluster.nodes()) {
            out.printf(
                    "  %-8s%s   process %d%n",
                    node.name(), node.address(), node.process().pid());
        }
        out.printf("  %-8s%s%n", "JSON", cluster.nodes().get(0).address().resolve("api/slots"));
        out.printf("  %-8s%s%n", "files", cluster.nodes().get(0).address().resolve("static/files.html"));
        out.printf("  %-8s%s   partners put their files here, and you may too%n", "inbox", cluster.inbox());
        out.printf("  %-8s%s%n", "Redis", cluster.redis());
        out.printf("  %-8s%s   user sa, no password%n", "H2", cluster.jdbcUrl());
        out.println();
        out.println(
                "  Ctrl-C stops everything. Or kill one node (kill -9 and its process number) and watch the others.");
        out.println();
    }

    private void printFiles(FilesView files, Deliverer partners) throws SQLException {
        if (lastFiles.plus(FILES).isBefore(Instant.now())) {
            lastFiles = Instant.now();
            out.println("  * " + files.line() + "; partners have delivered "
                    + partners.ledger().size() + " times");
        }
    }

    /** Now and then, between two slots. */
    private void printHeaderIfDue(LiveTable table, String line) {
        String slot = line.substring(0, line.indexOf(' '));
        if (linesToHeader-- <= 0 && !slot.equals(lastSlot)) {
            out.println();
            out.println("  " + table.header());
            linesToHeader = LINES_PER_HEADER;
        }
        lastSlot = slot;
    }

    private void printEnded() {
        for (TomcatNode node : cluster.nodes()) {
            if (!node.process().isAlive() && seenEnded.add(node.process())) {
                out.println("  * " + node.name() + " has ended (" + node.ending() + "); the others go on");
            }
        }
    }

    private void printAbandoned(List<AbandonedRun> runs) {
        for (AbandonedRun run : runs) {
            lastAbandoned = run.id();
            out.println("  * " + run.job() + ": the run of " + run.node()
                    + (run.slot() == null ? "" : " for " + LiveTable.time(run.slot(), ZoneId.systemDefault()))
                    + " never ended and is recorded as abandoned; its lease is over, " + run.foundBy() + " goes on");
        }
    }
}
