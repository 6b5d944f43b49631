package dev.joblock.redis;

import static dev.joblock.redis.Scenario.Script.ASKS_TWICE;
import static dev.joblock.redis.Scenario.Script.ASKS_TWICE_VETOED;
import static dev.joblock.redis.Scenario.Script.DIES;
import static dev.joblock.redis.Scenario.Script.DIES_BEFORE_START;
import static dev.joblock.redis.Scenario.Script.ECHOES;
import static dev.joblock.redis.Scenario.Script.GIVES_UP;
import static dev.joblock.redis.Scenario.Script.OUTSIDER;
import static dev.joblock.redis.Scenario.Script.PAUSED;
import static dev.joblock.redis.Scenario.Script.RUNS;
import static dev.joblock.redis.Scenario.Script.RUNS_SHORT;
import static dev.joblock.redis.Scenario.Script.VETOED;
import static dev.joblock.redis.Scenario.Script.VETOED_TWICE;
import static dev.joblock.redis.Scenario.Script.WAKES;

import dev.joblock.JobRun;
import dev.joblock.Slot;
import dev.joblock.redis.Scenario.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Which actors meet. Time passes by half a lease and by a whole one, so that a lease ends at any place of an order. */
final class Scenarios {
    static final JobRun EXCLUSIVE = JobRun.exclusive("job");
    static final JobRun FIRST = slot("lane", 1);
    static final JobRun SECOND = slot("lane", 2);
    static final JobRun THIRD = slot("lane", 3);
    static final JobRun OTHER_LANE = slot("other", 1);
    static final JobRun OWED = JobRun.owed("job", "lane", scheduled(1));
    private static final JobRun INTERVAL = JobRun.interval("job", "every", Duration.ofSeconds(20));

    private static final Set<Script> ALL =
            EnumSet.of(RUNS, VETOED_TWICE, DIES, DIES_BEFORE_START, GIVES_UP, PAUSED, WAKES, ASKS_TWICE, ECHOES);
    private static final Set<Script> SHORT = EnumSet.of(RUNS_SHORT, VETOED, DIES, GIVES_UP);

    private Scenarios() {}

    /** Two actors, whatever each of them does. */
    static List<Scenario> pairs() {
        List<Scenario> pairs = new ArrayList<>();
        for (Script a : ALL) {
            for (Script b : ALL) {
                pairs.add(leases(a, FIRST, b, SECOND));
                pairs.add(leases(a, FIRST, b, EXCLUSIVE));
                if (a.compareTo(b) <= 0) {
                    pairs.add(leases(a, FIRST, b, FIRST));
                    pairs.add(Scenario.of().with(a, INTERVAL).with(b, INTERVAL).whilePass(11_000, 9_000));
                }
            }
        }
        return pairs;
    }

    /** Three actors on two slots, and on a slot that comes to be owed. */
    static List<Scenario> triples() {
        List<Scenario> triples = new ArrayList<>();
        for (Script a : SHORT) {
            for (Script b : SHORT) {
                for (Script c : SHORT) {
                    if (a.compareTo(b) <= 0) {
                        triples.add(leases(a, FIRST, b, FIRST, c, SECOND));
                        triples.add(leases(c, FIRST, a, OWED, b, OWED));
                    }
                    triples.add(leases(a, FIRST, b, SECOND, c, OWED));
                }
            }
        }
        return triples;
    }

    /** Three slots, so that one of them may be granted to nobody. */
    static List<Scenario> slotsInARow() {
        List<Scenario> inARow = new ArrayList<>();
        for (Script a : SHORT) {
            for (Script b : SHORT) {
                for (Script c : SHORT) {
                    inARow.add(leases(a, FIRST, b, SECOND, c, THIRD));
                }
            }
            inARow.add(leases(a, FIRST, ASKS_TWICE, THIRD));
            inARow.add(leases(a, FIRST, ASKS_TWICE_VETOED, THIRD, RUNS_SHORT, THIRD));
        }
        return inARow;
    }

    /** Two nodes whose clocks are ahead, and slots that lie a second and then an hour apart. */
    static List<Scenario> clocksAhead() {
        Instant due = Instant.ofEpochMilli(Explorer.START + 1_000);
        JobRun near = JobRun.slot("job", "lane", Slot.of(due, due.plusSeconds(1), "cron"));
        JobRun far = JobRun.slot("job", "lane", Slot.of(due.plusSeconds(1), due.plusSeconds(3_601), "cron"));
        List<Scenario> ahead = new ArrayList<>();
        for (Script a : SHORT) {
            for (Script b : SHORT) {
                ahead.add(Scenario.of()
                        .with(a, near)
                        .with(b, far)
                        .with(RUNS_SHORT, far)
                        .whilePass(1_000, 1_000));
            }
        }
        return ahead;
    }

    /** What is put through the scripts: a choice of the above, since each step is a call to Redis. */
    static List<Scenario> forScripts() {
        List<Scenario> chosen = new ArrayList<>();
        for (Script b : List.of(RUNS, VETOED_TWICE, GIVES_UP, ASKS_TWICE, ECHOES)) {
            chosen.add(leases(RUNS, FIRST, b, FIRST));
            chosen.add(leases(DIES, FIRST, b, SECOND));
            chosen.add(leases(GIVES_UP, FIRST, b, EXCLUSIVE));
        }
        for (Script b : SHORT) {
            chosen.add(leases(GIVES_UP, FIRST, b, FIRST, RUNS_SHORT, SECOND));
            chosen.add(leases(DIES, FIRST, b, SECOND, RUNS_SHORT, OWED));
            chosen.add(leases(RUNS_SHORT, FIRST, b, SECOND, RUNS_SHORT, THIRD));
        }
        chosen.add(leases(RUNS_SHORT, FIRST, ASKS_TWICE, THIRD));
        return chosen;
    }

    /** With a client that is none of ours and takes the plain key. */
    static List<Scenario> withOutsider() {
        List<Scenario> chosen = new ArrayList<>();
        for (Script a : List.of(RUNS, VETOED_TWICE, DIES, GIVES_UP, ASKS_TWICE, PAUSED, ECHOES)) {
            chosen.add(leases(a, FIRST, OUTSIDER, EXCLUSIVE));
            chosen.add(leases(a, FIRST, RUNS_SHORT, SECOND, OUTSIDER, EXCLUSIVE));
        }
        return chosen;
    }

    /** What is put through transactions, where each call is four steps. */
    static List<Scenario> forTransactions() {
        return List.of(
                leases(RUNS, FIRST, RUNS_SHORT, EXCLUSIVE),
                leases(RUNS_SHORT, FIRST, VETOED_TWICE, FIRST),
                leases(GIVES_UP, FIRST, RUNS_SHORT, EXCLUSIVE),
                Scenario.of()
                        .with(DIES, FIRST)
                        .with(DIES, SECOND)
                        .with(VETOED, OWED)
                        .whilePass(70_000),
                everyThreeSeconds());
    }

    /** More of these, for whom has some minutes. */
    static List<Scenario> forManyTransactions() {
        List<Scenario> chosen = new ArrayList<>();
        for (Script b : List.of(RUNS, VETOED_TWICE, GIVES_UP, ECHOES)) {
            chosen.add(leases(RUNS, FIRST, b, EXCLUSIVE));
        }
        chosen.add(leases(ASKS_TWICE, FIRST, VETOED, FIRST));
        chosen.add(leases(RUNS_SHORT, FIRST, RUNS_SHORT, FIRST, RUNS_SHORT, SECOND));
        chosen.add(leases(DIES, FIRST, VETOED, SECOND, RUNS_SHORT, OWED));
        chosen.add(leases(GIVES_UP, FIRST, DIES, FIRST, VETOED, SECOND));
        return chosen;
    }

    /** Slots three seconds apart, one of them asked for again after the next. */
    static Scenario everyThreeSeconds() {
        Instant due = Instant.ofEpochMilli(Explorer.START);
        JobRun first = JobRun.slot("job", "lane", Slot.of(due, due.plusSeconds(3), "cron"));
        JobRun second = JobRun.slot("job", "lane", Slot.of(due.plusSeconds(3), due.plusSeconds(6), "cron"));
        return Scenario.of()
                .with(RUNS_SHORT, first)
                .with(RUNS_SHORT, second)
                .with(RUNS_SHORT, first)
                .whilePass(3_000);
    }

    static Scenario leases(Script a, JobRun runA, Script b, JobRun runB) {
        return Scenario.of().with(a, runA).with(b, runB).whilePass(30_000, 60_000);
    }

    static Scenario leases(Script a, JobRun runA, Script b, JobRun runB, Script c, JobRun runC) {
        return Scenario.of().with(a, runA).with(b, runB).with(c, runC).whilePass(30_000, 60_000);
    }

    private static JobRun slot(String lane, int n) {
        return JobRun.slot("job", lane, Slot.of(scheduled(n), scheduled(n + 1), "cron"));
    }

    private static Instant scheduled(int n) {
        return Instant.ofEpochMilli(Explorer.START).minus(Duration.ofHours(3 - n));
    }
}
