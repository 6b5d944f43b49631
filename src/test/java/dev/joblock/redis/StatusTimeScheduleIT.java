package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.joblock.redis.Scenario.Script;
import dev.joblock.testing.RedisExtension;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * As {@link ScheduleTest}, by the status-time store on a real Redis: WATCH, HGETALL, TIME and EXEC of several connections in
 * every order. Where the key was written under it, EXEC is refused and the call begins anew.
 */
class StatusTimeScheduleIT {

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    @Test
    void asksOfTwoMakeNoDoubleGrantInAnyOrder() throws IOException {
        Scenario scenario = Scenario.of()
                .with(Script.DIES_BEFORE_START, Scenarios.FIRST)
                .with(Script.DIES_BEFORE_START, Scenarios.SECOND)
                .whilePass(70_000);

        // 9! / (4! 4! 1!), and more where a call begins anew
        assertThat(playAll(scenario, 0)).isGreaterThanOrEqualTo(630);
    }

    @Test
    void askAndUnclaimMakeNoDoubleGrantInAnyOrder() throws IOException {
        Scenario scenario = Scenario.of()
                .with(Script.VETOED, Scenarios.FIRST)
                .with(Script.DIES_BEFORE_START, Scenarios.FIRST)
                .atOneMoment();

        assertThat(playAll(scenario, 0)).isGreaterThanOrEqualTo(495);
    }

    @Test
    void cancelLeavesNoOrphanWhateverItOvertakes() throws IOException {
        Scenario scenario = Scenario.of().with(Script.GIVES_UP, Scenarios.FIRST).whilePass(70_000);

        assertThat(playAll(scenario, 0)).isGreaterThanOrEqualTo(630);
    }

    @Test
    void renewalRevivesNothingWhileAnotherTakesOver() throws IOException {
        Scenario scenario = Scenario.of()
                .with(Script.DIES_AFTER_RENEWAL, Scenarios.FIRST)
                .with(Script.DIES_BEFORE_START, Scenarios.EXCLUSIVE)
                .whilePass(70_000);

        // after the ask and the start: the renewal, which is not sent once the lease is over, the other's ask, the
        // clock
        assertThat(playAll(scenario, 5)).isGreaterThanOrEqualTo(200);
    }

    @Test
    void threeMakeNoDoubleGrantAndNoOrphanInRandomOrders() throws IOException {
        Scenario scenario = Scenario.of()
                .with(Script.RUNS, Scenarios.FIRST)
                .with(Script.VETOED, Scenarios.FIRST)
                .with(Script.GIVES_UP, Scenarios.SECOND)
                .whilePass(30_000, 60_000);
        Random random = new Random(20_261_130);

        try (SteppedStores stores = new SteppedStores(scenario, redis.server(), true)) {
            for (int order = 0; order < 300; order++) {
                stores.play(random::nextInt);
            }
            System.out.println("status-time, " + scenario.name() + ": 300 random orders, EXEC was refused "
                    + stores.refused() + " times");
            assertThat(stores.refused()).isPositive();
        }
    }

    @Test
    void withoutWatchTwoAreGrantedWhichIsFound() throws IOException {
        Scenario scenario = Scenario.of()
                .with(Script.DIES_BEFORE_START, Scenarios.FIRST)
                .with(Script.DIES_BEFORE_START, Scenarios.FIRST)
                .atOneMoment();

        try (SteppedStores stores = new SteppedStores(scenario, redis.server(), false)) {
            assertThatThrownBy(() -> playAll(stores, 0))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("two were given the token");
        }
    }

    private static int playAll(Scenario scenario, int prefix) throws IOException {
        try (SteppedStores stores = new SteppedStores(scenario, redis.server(), true)) {
            int orders = playAll(stores, prefix);
            System.out.println("status-time, " + scenario.name() + ": all " + orders + " orders, EXEC was refused "
                    + stores.refused() + " times");
            assertThat(stores.refused()).isPositive();
            return orders;
        }
    }

    /** All orders, of which the first so many steps are those of the first thread. */
    private static int playAll(SteppedStores stores, int prefix) {
        OrderTree tree = new OrderTree();
        int orders = 0;
        do {
            int[] steps = {0};
            stores.play(choices -> steps[0]++ < prefix ? 0 : tree.choose(choices));
            orders++;
        } while (tree.next());
        return orders;
    }
}
