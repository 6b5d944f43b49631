package dev.joblock.redis;

import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockRequest;
import dev.joblock.LockStore;
import dev.joblock.RecordedRun;
import dev.joblock.Slot;
import dev.joblock.StoreAnswer;
import dev.joblock.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Random calls on a store, and what came of them in words that hold no time and no token. A lease lasts an hour or is over
 * before the next step, so that equal steps on equal stores give equal words.
 */
final class RandomWalk {
    static final List<String> LOCKS = List.of("invoice", "export", "poll");
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final String[] DEFINITIONS = {"0 0 * * * ?", "0 0/30 * * * ?"};

    /** One call, as numbers that select its arguments. */
    record Step(int call, int lock, int holder, int rule, int lane, int hour, int definition, boolean shortLease) {}

    private final Instant start;

    RandomWalk(Instant start) {
        this.start = start;
    }

    static List<Step> steps(long seed, int count) {
        Random random = new Random(seed);
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            steps.add(new Step(
                    random.nextInt(12),
                    random.nextInt(LOCKS.size()),
                    random.nextInt(5),
                    random.nextInt(8),
                    random.nextInt(2),
                    random.nextInt(7),
                    random.nextInt(8) / 7,
                    random.nextInt(3) == 0));
        }
        return steps;
    }

    String take(Step step, LockStore store) {
        String lock = LOCKS.get(step.lock);
        Holder holder = new Holder("n" + step.holder, "nonce" + step.holder);
        Duration lease = step.shortLease ? SHORT : LONG;
        try {
            String outcome = switch (step.call) {
                case 0, 1 -> "released " + store.release(lock, holder);
                case 2 -> "renewed " + store.renew(lock, holder, lease);
                case 3 -> "unclaimed " + store.unclaim(lock, holder);
                case 4 -> {
                    store.cancel(lock, holder);
                    yield "cancelled";
                }
                default -> words(store.acquire(new LockRequest(lock, run(step), holder, lease, trusted(step))));
            };
            if (step.shortLease) {
                Asks.awaitPast(store, store.time().plusMillis(2));
            }
            return outcome;
        } catch (StoreException e) {
            return "failed " + e.fault();
        }
    }

    private boolean trusted(Step step) {
        return step.hour != 6;
    }

    private JobRun run(Step step) {
        String job = LOCKS.get(step.lock);
        String lane = "lane" + step.lane;
        String definition = DEFINITIONS[step.definition];
        Instant scheduled = start.minus(Duration.ofHours(20L - step.hour));
        return switch (step.rule) {
            case 0 -> JobRun.exclusive(job);
            case 1 -> JobRun.owed(job, lane, scheduled);
            case 2 -> JobRun.interval(job, lane, LONG);
            case 3 -> JobRun.interval(job, lane, LONG).countedFromEnd();
            case 4 -> JobRun.slot(job, lane, Slot.last(scheduled, scheduled.plusSeconds(5), definition));
            default ->
                JobRun.slot(
                        job,
                        lane,
                        step.hour == 5
                                ? Slot.of(start.plus(Duration.ofDays(1)), start.plus(Duration.ofDays(2)), definition)
                                : Slot.of(scheduled, scheduled.plus(Duration.ofHours(1)), definition));
        };
    }

    private static String words(StoreAnswer answer) {
        Optional<Denied> denial = answer.denial();
        String flag = answer.isOtherDefinition() ? " other definition" : "";
        if (denial.isEmpty()) {
            return "granted, abandoned " + words(answer.abandoned()) + flag + " over " + answer.passedOver();
        }
        Denied denied = denial.get();
        return denied.reason() + " by " + words(denied.other()) + " " + denied.fault() + " until "
                + denied.until().isPresent() + flag;
    }

    private static String words(Optional<RecordedRun> run) {
        return run.map(r -> r.node() + " " + r.lane() + " " + r.scheduled()).orElse("nobody");
    }
}
