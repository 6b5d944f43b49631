package dev.joblock.console;

import dev.joblock.HistoryEntry;
import dev.joblock.HistoryOutcome;
import dev.joblock.JobRun;
import dev.joblock.JobState;
import dev.joblock.RecordedRun;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a ledger put together to fires: what became of one slot of one job on each node. A fire without a slot, such as one
 * asked for by hand, is put together by its second.
 */
final class Fires {

    private static final Comparator<HistoryEntry> BY_TIME =
            Comparator.comparing(HistoryEntry::at).thenComparing(HistoryEntry::id);

    /** One slot of one job. */
    static final class Fire {

        private final Key key;
        private final List<HistoryEntry> entries = new ArrayList<>();
        private @Nullable String running;

        private Fire(Key key) {
            this.key = key;
        }

        String job() {
            return key.job;
        }

        /** The slot; where there is none, when it was. */
        Instant time() {
            return key.time;
        }

        boolean hasSlot() {
            return key.hasSlot;
        }

        List<HistoryEntry> entries() {
            return entries;
        }

        List<HistoryEntry> entries(String node) {
            return entries.stream().filter(entry -> entry.node().equals(node)).toList();
        }

        /** The node on which it goes on. */
        Optional<String> running() {
            return Optional.ofNullable(running);
        }

        Optional<String> by() {
            return entries.stream().flatMap(entry -> entry.by().stream()).findFirst();
        }

        /** How many runs the schedule began; retries and runs by hand are asked for, and do not count. */
        long scheduledRuns() {
            long ended = entries.stream()
                    .filter(entry -> entry.outcome().isRun() && entry.origin() == JobRun.Origin.SCHEDULED)
                    .map(HistoryEntry::fencingToken)
                    .distinct()
                    .count();
            return running == null ? ended : ended + 1;
        }

        Mark mark(String node) {
            return node.equals(running) ? Mark.RUNNING : strongest(entries(node));
        }

        /** What became of it on all nodes together. */
        Mark mark() {
            return running == null ? strongest(entries) : Mark.RUNNING;
        }

        /** The last run, if there was one, else that nobody ran it, else the last denial. */
        private static Mark strongest(List<HistoryEntry> some) {
            Mark found = Mark.NONE;
            int strength = 0;
            for (HistoryEntry entry : some) {
                if (strength(entry.outcome()) >= strength) {
                    found = Mark.of(entry);
                    strength = strength(entry.outcome());
                }
            }
            return found;
        }

        private static int strength(HistoryOutcome outcome) {
            return outcome.isRun() ? 2 : outcome == HistoryOutcome.OVERRUN ? 1 : 0;
        }
    }

    private record Key(String job, String lane, Instant time, boolean hasSlot) {

        static Key of(HistoryEntry entry) {
            return of(entry.job(), entry.lane(), entry.slot(), entry.started().orElse(entry.at()));
        }

        static Key of(String job, String lane, Optional<Instant> slot, Instant otherwise) {
            return slot.map(time -> new Key(job, lane, time, true))
                    .orElseGet(() -> new Key(job, "", otherwise.truncatedTo(ChronoUnit.SECONDS), false));
        }
    }

    private Fires() {}

    /** The newest fires, oldest first, with the runs that go on. */
    static List<Fire> newest(Collection<HistoryEntry> entries, Collection<JobState> states, int most) {
        Map<Key, Fire> fires = new HashMap<>();
        for (HistoryEntry entry : entries) {
            fires.computeIfAbsent(Key.of(entry), Fire::new).entries.add(entry);
        }
        for (JobState state : states) {
            state.lock().run().ifPresent(run -> running(fires, state.job(), run));
        }
        List<Fire> all = new ArrayList<>(fires.values());
        all.forEach(fire -> fire.entries.sort(BY_TIME));
        all.sort(Comparator.comparing(Fire::time).thenComparing(Fire::job).thenComparing(fire -> fire.key.lane));
        return all.subList(Math.max(0, all.size() - most), all.size());
    }

    private static void running(Map<Key, Fire> fires, String job, RecordedRun run) {
        Fire fire = fires.computeIfAbsent(Key.of(job, run.lane(), run.scheduled(), run.since()), Fire::new);
        boolean over = fire.entries.stream()
                .anyMatch(entry -> entry.outcome().isRun() && entry.fencingToken() == run.fencingToken());
        if (!over) { // the two were read one after the other
            fire.running = run.node();
        }
    }
}
