package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockRequest;
import dev.joblock.StoreAnswer;
import dev.joblock.redis.Scenario.Script;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The explorer of {@link ScheduleTest} finds rules that are wrong, and says what became of it. */
class BrokenRulesTest {

    @Test
    void findsAnUnclaimThatDoesNotAskWhoOwns() {
        assertFound("an end by somebody else changed the record", new PureRules() {
            @Override
            Step<Boolean> unclaim(LockRecord record, Holder holder, long now) {
                return LockRules.unclaim(record, new Holder("", record.text("owner")), now);
            }
        });
    }

    @Test
    void findsAnUnclaimThatKeepsTheMark() {
        assertFound("no such slot was granted for good, so it must be free", new PureRules() {
            @Override
            Step<Boolean> unclaim(LockRecord record, Holder holder, long now) {
                return LockRules.release(record, holder, now);
            }
        });
    }

    @Test
    void findsAReleaseThatRestoresTheMark() {
        assertFound("the slot must be taken", new PureRules() {
            @Override
            Step<Boolean> release(LockRecord record, Holder holder, long now) {
                return LockRules.unclaim(record, holder, now);
            }
        });
    }

    @Test
    void findsARenewalThatRevives() {
        assertFound("a renewal of a lease that is false was answered with true", new PureRules() {
            @Override
            Step<Boolean> renew(LockRecord record, Holder holder, long now) {
                boolean owner = record.isOwner(holder.nonce()) && record.isRunning();
                long until = now + Scenario.LEASE.toMillis();
                return new Step<>(owner, owner ? new Change().set("until", until) : new Change());
            }
        });
    }

    @Test
    void findsACancelThatLeavesNoTombstone() {
        assertFound("was cancelled and holds a lease", new PureRules() {
            @Override
            Step<Boolean> cancel(LockRecord record, Holder holder, long now) {
                return LockRules.unclaim(record, holder, now);
            }
        });
    }

    @Test
    void findsACancelThatLeavesATombstoneOnlyWhereItFoundNoGrant() {
        Scenario twice = Scenarios.leases(Script.ASKS_TWICE, Scenarios.FIRST, Script.VETOED, Scenarios.FIRST);
        assertFound("was cancelled and holds a lease", List.of(twice), Steps::ofTransactions, new PureRules() {
            @Override
            Step<Boolean> cancel(LockRecord record, Holder holder, long now) {
                Step<Boolean> cancelled = LockRules.cancel(record, holder, now);
                return cancelled.answer ? LockRules.unclaim(record, holder, now) : cancelled;
            }
        });
    }

    @Test
    void findsAGrantOverALeaseThatLives() {
        assertFound("believes to hold a lease that is over", new PureRules() {
            @Override
            Step<StoreAnswer> acquire(LockRecord record, LockRequest request, long now) {
                return LockRules.acquire(with(record, "until", "0"), request, now);
            }
        });
    }

    @Test
    void findsATokenThatDoesNotRise() {
        assertFound("were given the token", new PureRules() {
            @Override
            Step<StoreAnswer> acquire(LockRecord record, LockRequest request, long now) {
                Step<StoreAnswer> step = LockRules.acquire(record, request, now);
                if (step.answer.denial().isPresent() || step.change.isEmpty()) {
                    return step;
                }
                return new Step<>(
                        StoreAnswer.granted(now, step.answer.since(), null, false), step.change.set("token", now));
            }
        });
    }

    @Test
    void findsAnOwedSlotThatStaysOwed() {
        assertFound("the slot must not be owed", new PureRules() {
            @Override
            Step<StoreAnswer> acquire(LockRecord record, LockRequest request, long now) {
                Step<StoreAnswer> step = LockRules.acquire(record, request, now);
                String owed = LockRecord.OWED + request.run().lane();
                if (step.change.toRemove().contains(owed)) {
                    step.change.set(owed, record.text(owed));
                }
                return step;
            }
        });
    }

    @Test
    void findsATakeOverThatOwesNothing() {
        assertFound("the slot must be owed", new PureRules() {
            @Override
            Step<StoreAnswer> acquire(LockRecord record, LockRequest request, long now) {
                Step<StoreAnswer> step = LockRules.acquire(record, request, now);
                step.change.toSet().keySet().removeIf(field -> field.startsWith(LockRecord.OWED));
                return step;
            }
        });
    }

    /** Who has asked twice, and is alone, is told that it is over when the second copy comes. */
    @Test
    void findsAnAskThatIsGrantedOnceMoreAfterItsEnd() {
        Scenario alone = Scenario.of()
                .with(Script.ASKS_TWICE_UNSETTLED, Scenarios.EXCLUSIVE)
                .whilePass(30_000, 60_000);
        new Explorer(alone, Steps.ofScripts(alone), new PureRules()).explore();

        assertFound("everybody has ended, and A still", List.of(alone), Steps::ofScripts, new PureRules() {
            @Override
            Step<StoreAnswer> acquire(LockRecord record, LockRequest request, long now) {
                boolean ended = record.isOwner(request.holder().nonce()) && !record.isLive(now);
                return LockRules.acquire(ended ? with(record, "owner", "") : record, request, now);
            }
        });
    }

    /** A slot that was allowed to come ten seconds early, before one that was allowed half a second. */
    @Test
    void findsAMarkThatIsNotBelievedThoughItWasAllowed() {
        PureRules broken = new PureRules() {
            @Override
            Step<StoreAnswer> acquire(LockRecord record, LockRequest request, long now) {
                Mark mark = record.mark(request.run().lane());
                boolean ahead = request.run().rule() == JobRun.Rule.SLOT
                        && mark != null
                        && mark.start
                                > now
                                        + request.run()
                                                .slot()
                                                .orElseThrow()
                                                .allowance()
                                                .toMillis();
                return LockRules.acquire(
                        ahead ? with(record, LockRecord.MARK + request.run().lane(), "") : record, request, now);
            }
        };

        assertFound("a slot was started twice", Scenarios.clocksAhead(), Steps::ofScripts, broken);
    }

    @Test
    void findsAGrantThatTellsNothingOfSlotsThatNobodyWasGranted() {
        assertFound("passes over the slots from", Scenarios.slotsInARow(), Steps::ofScripts, new PureRules() {
            @Override
            Step<StoreAnswer> acquire(LockRecord record, LockRequest request, long now) {
                Step<StoreAnswer> step = LockRules.acquire(record, request, now);
                return new Step<>(step.answer.withPassedOver(null), step.change);
            }
        });
    }

    @Test
    void findsAGrantThatTellsNothingOfThemWhenItIsAskedForTwice() {
        assertFound("passes over the slots from", Scenarios.slotsInARow(), Steps::ofScripts, new PureRules() {
            @Override
            Step<StoreAnswer> acquire(LockRecord record, LockRequest request, long now) {
                Step<StoreAnswer> step = LockRules.acquire(record, request, now);
                return step.change.isEmpty() ? new Step<>(step.answer.withPassedOver(null), step.change) : step;
            }
        });
    }

    /** Its first copy comes after all has ended: an engine that asks twice must cancel at the end, too. */
    @Test
    void findsAnAskSentTwiceThatNobodySettles() {
        Scenario unsettled =
                Scenarios.leases(Script.ASKS_TWICE_UNSETTLED, Scenarios.EXCLUSIVE, Script.RUNS, Scenarios.EXCLUSIVE);

        assertFound(
                "everybody has ended, and A still holds the lock",
                List.of(unsettled),
                Steps::ofScripts,
                new PureRules());
    }

    @Test
    void findsATransactionThatReadsTheTimeBeforeTheRecord() {
        assertFound(
                "a denial changed the record",
                Scenarios.forTransactions(),
                Steps::ofTransactionsThatReadTheTimeFirst,
                new PureRules());
    }

    @Test
    void findsATransactionThatDoesNotWatch() {
        assertFound(
                "two were given the token",
                Scenarios.forTransactions(),
                Steps::ofTransactionsThatDoNotWatch,
                new PureRules());
    }

    private static void assertFound(String what, PureRules broken) {
        List<Scenario> scenarios = new ArrayList<>(Scenarios.pairs());
        scenarios.addAll(Scenarios.triples());
        assertFound(what, scenarios, Steps::ofScripts, broken);
    }

    private static void assertFound(
            String what, List<Scenario> scenarios, Function<Scenario, Steps> steps, PureRules broken) {
        assertThatThrownBy(() ->
                        scenarios.forEach(scenario -> new Explorer(scenario, steps.apply(scenario), broken).explore()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(what)
                .hasMessageContaining("by the order");
    }

    private static LockRecord with(LockRecord record, String field, String value) {
        Map<String, String> fields = new HashMap<>(record.fields());
        fields.put(field, value);
        return new LockRecord(record.fields().isEmpty() ? Map.of() : fields);
    }
}
