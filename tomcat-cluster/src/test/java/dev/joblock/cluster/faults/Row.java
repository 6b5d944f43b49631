package dev.joblock.cluster.faults;

import static org.awaitility.Awaitility.await;

import dev.joblock.cluster.Window;
import dev.joblock.cluster.faults.Records.Event;
import dev.joblock.cluster.faults.Records.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;

/** One row of the table while it goes on: a window of slots, and what the nodes have written since its begin. */
final class Row {

    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final Duration POLL = Duration.ofMillis(20);

    private final Fleet fleet;
    private final Records records;
    private final Window window;
    private final long begin = System.nanoTime();
    private final long warningsBefore;
    private final Map<String, List<Long>> killed = new HashMap<>();
    private boolean clocksStepped;

    Row(Fleet fleet, Records records, Duration period, int slots) {
        this.fleet = fleet;
        this.records = records;
        this.warningsBefore = fleet.warnings();
        // A node whose clock is ahead may be granted a slot up to half a period before its time.
        this.window = Window.after(Instant.now().plus(period.dividedBy(2)).plusMillis(300), period, slots);
    }

    Window window() {
        return window;
    }

    /** When it began, by the clock that all processes share. */
    long begin() {
        return begin;
    }

    /** Says that wall clocks were stepped: a handle then says no until a renewal has confirmed it, which is no loss. */
    void clocksStepped() {
        clocksStepped = true;
    }

    /** Kills a node with SIGKILL. */
    void kill(Node node) {
        node.kill();
        killed.computeIfAbsent(Fleet.idOf(node), id -> new ArrayList<>()).add(node.killedAt());
    }

    /** Waits for the first run since the row began of which something is true. */
    Run awaitRun(String what, Predicate<Run> condition) {
        return await(what)
                .atMost(PATIENCE)
                .pollInterval(POLL)
                .until(() -> records.runs(begin).stream().filter(condition).findFirst(), run -> run.isPresent())
                .orElseThrow();
    }

    /** Waits for the first denial since a moment whose sentence holds a text. */
    void awaitDenial(String what, String text, long since) {
        await(what)
                .atMost(PATIENCE)
                .pollInterval(POLL)
                .until(() -> records.events(since).stream()
                        .anyMatch(event ->
                                event.kind().equals("denied") && event.detail().contains(text)));
    }

    /** Waits until a slot of the window has been run, or its time is over. */
    void awaitSlot(int number) {
        Instant slot = window.begin().plus(window.period().multipliedBy(number));
        await("slot " + number)
                .atMost(patience())
                .pollInterval(POLL)
                .until(() -> records.runs(begin).stream().anyMatch(run -> run.slot() >= slot.toEpochMilli())
                        || Instant.now().isAfter(slot.plus(window.period())));
    }

    /** Does something again and again until the window is over. */
    void repeat(Duration pause, Runnable action) {
        await().atMost(patience()).pollDelay(Duration.ZERO).pollInterval(pause).until(() -> {
            if (!Instant.now().isBefore(window.end())) {
                return true;
            }
            action.run();
            return false;
        });
    }

    /** Waits until nothing more can come of the slots, and counts. */
    Account settle() {
        await("answers of all live nodes to all slots")
                .atMost(patience().plus(fleet.longestLag()))
                .pollInterval(Duration.ofMillis(100))
                .until(this::isSettled);
        try {
            // Listeners hear a little later than the work goes on.
            await().atMost(Duration.ofSeconds(5))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> account().differences().isEmpty());
        } catch (ConditionTimeoutException e) {
            // Then they differ, and the account says so.
        }
        return account();
    }

    private Duration patience() {
        return PATIENCE.plus(window.period().multipliedBy(window.slots()));
    }

    private Account account() {
        return new Account(
                window,
                records.runs(begin),
                records.events(begin),
                Map.copyOf(killed),
                clocksStepped,
                fleet.warnings() - warningsBefore,
                System.nanoTime());
    }

    /** Every node whose clock is about right has answered for a later slot: a job's fires never pass one another. */
    private boolean isSettled() {
        if (Instant.now().isBefore(window.end().plusMillis(500))) {
            return false;
        }
        List<Event> events = records.events(begin);
        for (Node node : fleet.nodes()) {
            if (node.lag() == null || !node.isAlive()) {
                continue;
            }
            String id = Fleet.idOf(node);
            for (String job : Mode.ALL) {
                if (events.stream()
                        .noneMatch(event -> event.node().equals(id)
                                && event.job().equals(job)
                                && event.slot() >= window.end().toEpochMilli())) {
                    return false;
                }
            }
        }
        return records.runs(begin).stream()
                .filter(run -> run.slot() < window.end().toEpochMilli())
                .allMatch(run -> run.ended() != null || killed.containsKey(run.node()));
    }
}
