package dev.joblock.redis;

import dev.joblock.redis.Scenario.Script;
import dev.joblock.testing.RedisExtension;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** As {@link ScheduleTest}, by the status-time store on a real Redis: its commands on several connections, in every order. */
class StatusTimeScheduleIT {

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    @Test
    void commandsOfTwoMakeNoDoubleGrantAndNoOrphanInAnyOrder() throws IOException {
        List<Scenario> scenarios = List.of(
                Scenario.of()
                        .with(Script.DIES_BEFORE_START, Scenarios.FIRST)
                        .with(Script.DIES_BEFORE_START, Scenarios.SECOND)
                        .whilePass(70_000),
                Scenario.of()
                        .with(Script.DIES_BEFORE_START, Scenarios.FIRST)
                        .with(Script.VETOED, Scenarios.FIRST)
                        .whilePass(),
                Scenario.of().with(Script.GIVES_UP, Scenarios.FIRST).whilePass(70_000));
        int orders = 0;
        for (Scenario scenario : scenarios) {
            try (SteppedStores stores = new SteppedStores(scenario, redis.server(), true)) {
                OrderTree tree = new OrderTree();
                int n = 0;
                long t = System.nanoTime();
                do {
                    stores.play(tree::choose);
                    n++;
                } while (tree.next());
                System.out.println(scenario.name() + " " + n + " " + (System.nanoTime() - t) / 1000000);
                orders += n;
            }
        }
        System.out.println("status-time, " + orders);
    }
}
