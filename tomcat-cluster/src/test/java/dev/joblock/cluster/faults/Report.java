package dev.joblock.cluster.faults;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.core.SpringVersion;

/** The table of all rows, in Markdown. */
final class Report {

    private static final int ALL_ROWS = 32;

    private final Form form;
    private final List<String> lines = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    Report(Form form) {
        this.form = form;
    }

    /** Adds a row; figures that differ between the modes stand in the order of {@link Mode#ALL}. */
    String add(String fault, Account account, String... sentences) {
        List<String> cells = List.of(
                fault,
                String.valueOf(account.window().slots()),
                each(account::runs),
                each(account::doubles),
                each(account::missed),
                each(account::overlaps),
                each(account::stale),
                each(job -> String.format(Locale.ROOT, "%.1f", account.longestGap(job))),
                String.format(Locale.ROOT, "%.1f", account.latestUnguarded()),
                account.differences().isEmpty()
                        ? "equal"
                        : account.differences().size() + " differ",
                String.valueOf(account.warnings()));
        lines.add("| " + String.join(" | ", cells) + " |");
        if (sentences.length > 0) {
            notes.add("- **" + fault + "**: " + String.join(" ", sentences));
        }
        return lines.get(lines.size() - 1);
    }

    /** Writes docs/faults.md where {@code -Djoblock.faults.write=true} asks for it and the whole suite has run. */
    void writeIfAsked(String redis) throws IOException {
        if (Boolean.getBoolean("joblock.faults.write") && lines.size() >= ALL_ROWS) {
            Files.writeString(Path.of(System.getProperty("joblock.faults.file", "../docs/faults.md")), page(redis));
        }
    }

    private String page(String redis) {
        return String.format(
                Locale.ROOT,
                """
                # Faults, measured

                Written by a run of the fault suite on %s; nothing in it is typed by hand.

                    mvn -f reactor.xml -pl tomcat-cluster -am verify -Dtest=None -Dsurefire.failIfNoSpecifiedTests=false \\
                        -Dit.test=FaultsIT -Dfailsafe.failIfNoSpecifiedTests=false -Djoblock.faults=%s -Djoblock.faults.write=true

                Four JVMs (Spring %s, Quartz, Spring Data Redis and Jedis of row R2, wired by XML), each with one guarded job a
                lock mode, all at each beat of a cron of %d s; 50 ms of work, lease %d s, everything else as it comes. Form
                `%s`: %d slots a row where nothing but the clocks is at fault, %d or more elsewhere. Faults are brought in from outside: signals, libfaketime,
                commands to the Redis, a TCP proxy. Redis %s on the same machine; %d cores, load average %.1f at the end of the run, Java %s, %s.

                Where a cell has three figures, they are those of the modes %s.

                %s
                | column | what it is |
                |---|---|
                | runs | counted by the job bodies, each by a row in a database that no fault touches |
                | run twice | slots with more than one run |
                | missed | slots that no node ran |
                | leases overlapping | pairs of runs of one job whose handles said at one moment that they hold the lease |
                | stale writes refused | writes of runs that were overtaken and wrote all the same, refused by `SqlFence` |
                | longest gap | from one start of the job to its next, on any node |
                | unguarded job late | by how much the latest fire of a job that nothing guards came late, on the same schedulers (a node that was halted is late itself) |
                | listeners | whether what the `JobLockListener` of each node heard (granted, ended, lost) is what the bodies counted; nodes that were killed excepted |
                | WARN lines | in the logs of all nodes; at most one a minute and job on each node for a store that is down |
                """,
                LocalDate.now(ZoneOffset.UTC),
                form.name(),
                SpringVersion.getVersion(),
                form.period().toSeconds(),
                Fleet.LEASE.toSeconds(),
                form.name(),
                form.steadySlots(),
                form.slots(),
                redis,
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                System.getProperty("java.version"),
                System.getProperty("os.name"),
                String.join(", ", Mode.ALL),
                table());
    }

    String table() {
        return "| fault | slots | runs | run twice | missed | leases overlapping | stale writes refused"
                + " | longest gap (s) | unguarded job late (s) | listeners | WARN lines |\n"
                + "|---|---|---|---|---|---|---|---|---|---|---|\n"
                + String.join("\n", lines)
                + "\n\n"
                + String.join("\n", notes)
                + "\n";
    }

    private static String each(Function<String, Object> figure) {
        List<String> all = Mode.ALL.stream().map(figure).map(String::valueOf).collect(Collectors.toList());
        return all.stream().distinct().count() == 1 ? all.get(0) : String.join(" / ", all);
    }
}
