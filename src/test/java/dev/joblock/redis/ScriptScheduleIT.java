package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.joblock.redis.Explorer.Explored;
import dev.joblock.redis.Scenario.Script;
import dev.joblock.testing.RedisExtension;
import dev.joblock.testing.RespConnection;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** As {@link ScheduleTest}, by the scripts in a real Redis. */
class ScriptScheduleIT {

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    @Test
    void hashTimestampMakesNoDoubleGrantAndNoOrphan() throws IOException {
        try (RespConnection connection = new RespConnection(redis.host(), redis.port())) {
            LuaScripts scripts = LuaScripts.ofHashTimestamp(connection);

            Explored explored = explore("hash-timestamp", Scenarios.forScripts(), scripts);

            assertThat(explored.orders()).isGreaterThan(BigInteger.valueOf(100_000));
        }
    }

    @Test
    void tokenMakesNoDoubleGrantAndNoOrphan() throws IOException {
        try (RespConnection connection = new RespConnection(redis.host(), redis.port())) {
            LuaScripts scripts = LuaScripts.ofToken(connection);
            List<Scenario> scenarios = new ArrayList<>(Scenarios.forScripts());
            scenarios.addAll(Scenarios.withOutsider());

            Explored explored = explore("token", scenarios, scripts);

            assertThat(explored.orders()).isGreaterThan(BigInteger.valueOf(100_000));
        }
    }

    /** The explorer sees through the scripts as it does through the rules. */
    @Test
    void anAskSentTwiceThatNobodySettlesIsFound() throws IOException {
        Scenario unsettled =
                Scenarios.leases(Script.ASKS_TWICE_UNSETTLED, Scenarios.EXCLUSIVE, Script.RUNS, Scenarios.EXCLUSIVE);
        try (RespConnection connection = new RespConnection(redis.host(), redis.port())) {
            LuaScripts scripts = LuaScripts.ofToken(connection);

            assertThatThrownBy(() -> explore("token, not settled", List.of(unsettled), scripts))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("everybody has ended, and A still holds the lock");
        }
    }

    private static Explored explore(String what, List<Scenario> scenarios, LuaScripts scripts) {
        Explored all = Explored.NOTHING;
        for (Scenario scenario : scenarios) {
            all = all.plus(new Explorer(scenario, Steps.ofScripts(scenario), scripts).explore());
        }
        System.out.println(what + ", " + scenarios.size() + " scenarios: " + all);
        return all;
    }
}
