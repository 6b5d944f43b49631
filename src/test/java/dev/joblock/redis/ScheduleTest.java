package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.redis.Explorer.Explored;
import dev.joblock.redis.Scenario.Script;
import java.math.BigInteger;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Grants, renewals, releases, un-claims, take-overs, cancels and late arrivals of two and three actors, by the rules in Java, in
 * every order. {@link BrokenRulesTest} shows that this finds rules that are wrong.
 */
class ScheduleTest {

    @Test
    void countsEveryOrderOnce() {
        Scenario scenario = Scenarios.leases(Script.RUNS, Scenarios.FIRST, Script.VETOED, Scenarios.FIRST);

        Explored explored = explore("One pair", List.of(scenario), Steps::ofScripts);

        // 8! / (4! 2! 2!): four steps of one, two of the other, two of the clock
        assertThat(explored.orders()).isEqualTo(420);
    }

    @Test
    void twoActorsMakeNoDoubleGrantAndNoOrphan() {
        Explored explored = explore("Two actors", Scenarios.pairs(), Steps::ofScripts);

        assertThat(explored.orders()).isGreaterThan(BigInteger.valueOf(40_000_000));
    }

    @Test
    void threeActorsMakeNoDoubleGrantAndNoOrphan() {
        Explored explored = explore("Three actors", Scenarios.triples(), Steps::ofScripts);

        assertThat(explored.orders()).isGreaterThan(BigInteger.valueOf(2_000_000));
    }

    @Test
    void grantsTellTheSlotsThatNobodyWasGranted() {
        Explored explored = explore("Slots in a row", Scenarios.slotsInARow(), Steps::ofScripts);

        assertThat(explored.orders()).isGreaterThan(BigInteger.valueOf(1_000_000));
    }

    @Test
    void slotsThatLieUnevenlyApartStartOnceWhereClocksAreAhead() {
        Explored explored = explore("Clocks ahead", Scenarios.clocksAhead(), Steps::ofScripts);

        assertThat(explored.orders()).isGreaterThan(BigInteger.valueOf(400_000));
    }

    @Test
    void transactionsMakeNoDoubleGrantAndNoOrphan() {
        Explored explored = explore("Transactions", Scenarios.forTransactions(), Steps::ofTransactions);

        assertThat(explored.orders()).isGreaterThan(BigInteger.valueOf(1_000_000_000_000L));
    }

    @Test
    @EnabledIfSystemProperty(named = "joblock.schedule", matches = "long", disabledReason = "takes a minute or more")
    void manyTransactionsMakeNoDoubleGrantAndNoOrphan() {
        Explored explored = explore("Many transactions", Scenarios.forManyTransactions(), Steps::ofTransactions);

        assertThat(explored.orders()).isGreaterThan(BigInteger.TEN.pow(24));
    }

    private static Explored explore(String what, List<Scenario> scenarios, Function<Scenario, Steps> steps) {
        Explored all = Explored.NOTHING;
        for (Scenario scenario : scenarios) {
            all = all.plus(new Explorer(scenario, steps.apply(scenario), new PureRules()).explore());
        }
        System.out.println(what + ", " + scenarios.size() + " scenarios: " + all);
        return all;
    }
}
