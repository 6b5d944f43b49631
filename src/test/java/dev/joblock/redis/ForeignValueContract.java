package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.StoreFault;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values at a lock's key that are not this version's: named, and left as they are. */
interface ForeignValueContract extends StoreFixture {
    /** The field that holds the layout version. */
    String LAYOUT = "v";

    @ParameterizedTest
    @CsvSource({
        "string, SET KEY leftover",
        "list, RPUSH KEY a b",
        "set, SADD KEY a b",
        "zset, ZADD KEY 1 a",
        "stream, XADD KEY * a b",
    })
    default void wrongTypeIsNamedAndLeft(String type, String command) {
        redis().call(command.replace("KEY", recordKey()).split(" "));
        String before = redis().text("OBJECT", "ENCODING", recordKey()) + redis().call("DUMP", recordKey());

        Calls.Refusal refusal = Calls.refusal(store(), hourly(10));

        assertThat(refusal.fault()).isEqualTo(StoreFault.FOREIGN_VALUE);
        assertThat(refusal.maybeApplied()).isFalse();
        assertThat(refusal.text()).contains(recordKey()).contains(type);
        Calls.all(store(), hourly(10), holder("n1")).forEach((name, call) -> {
            Calls.Refusal each = Calls.refusalOf(call);
            if (each != null) {
                assertThat(each.fault()).as(name).isEqualTo(StoreFault.FOREIGN_VALUE);
            }
        });
        assertThat(redis().text("TYPE", recordKey())).isEqualTo(type);
        assertThat(redis().text("OBJECT", "ENCODING", recordKey()) + redis().call("DUMP", recordKey()))
                .isEqualTo(before);
        assertThat(pttl()).as("expiry of the foreign value").isEqualTo(-1);
    }

    @Test
    default void wrongTypeHarmsNoOtherLock() {
        redis().call("SET", recordKey(), "leftover");
        Calls.refusal(store(), hourly(10));

        Asks.complete(store(), JobRun.exclusive("export"), "n1");
        redis().call("DEL", recordKey());
        complete(hourly(10), "n1");
    }

    @Test
    default void hashOfOthersIsNamedAndLeft() {
        redis().call("HSET", recordKey(), "ALL_ALL", "1767225600000", "owner", "somebody");
        Object before = redis().call("HGETALL", recordKey());

        Calls.Refusal refusal = Calls.refusal(store(), hourly(10));

        assertThat(refusal.fault()).isEqualTo(StoreFault.FOREIGN_VALUE);
        assertThat(refusal.text()).contains(LOCK).contains("hash");
        Calls.all(store(), hourly(10), holder("n1")).forEach((name, call) -> {
            Calls.refusalOf(call);
            assertThat(redis().call("HGETALL", recordKey())).as(name).isEqualTo(before);
            assertThat(pttl()).as("expiry after %s", name).isEqualTo(-1);
        });
    }

    @ParameterizedTest
    @CsvSource({"2", "99", "1000000"})
    default void recordOfANewerLayoutIsDeniedAndLeft(String version) {
        Holder holder = holder("n1");
        grant(hourly(10), holder);
        assertThat(redis().text("HGET", recordKey(), LAYOUT)).isEqualTo("1");
        redis().call("HSET", recordKey(), LAYOUT, version);
        Object before = redis().call("HGETALL", recordKey());

        Calls.Refusal refusal = Calls.refusal(store(), hourly(11));

        assertThat(refusal.fault()).isEqualTo(StoreFault.UNKNOWN_LAYOUT);
        assertThat(refusal.text()).contains(version);
        Calls.all(store(), hourly(10), holder).forEach((name, call) -> {
            Calls.Refusal each = Calls.refusalOf(call);
            if (each != null) {
                assertThat(each.fault()).as(name).isEqualTo(StoreFault.UNKNOWN_LAYOUT);
            }
            assertThat(redis().call("HGETALL", recordKey())).as(name).isEqualTo(before);
        });
    }

    /** Whatever a field of the record is turned into, no call throws anything but what it documents. */
    @ParameterizedTest
    @CsvSource({"''", "x", "-1", "1e400", "99999999999999999999999", "|", "||||||||", "1|2|3", "nan", "%zz"})
    default void garbageInAFieldIsNoCrash(String garbage) {
        Holder holder = holder("n1");
        die(hourly(9), "dead");
        complete(manual(), "n0");
        store().cancel(LOCK, holder("late"));
        grant(hourly(10), holder);
        List<?> record = (List<?>) Objects.requireNonNull(redis().call("HGETALL", recordKey()));
        for (int i = 0; i < record.size(); i += 2) {
            String field = record.get(i).toString();
            for (String lane : List.of(LANE, "other")) {
                restore(record);
                redis().call("HSET", recordKey(), field, garbage);
                Calls.refusalOf(() -> Calls.acquire(store(), in(lane, slot(11)), holder("n2")));
                Calls.refusalOf(() -> Calls.acquire(store(), owed(9), holder("n2")));
            }
            Calls.all(store(), hourly(10), holder).forEach((name, call) -> {
                restore(record);
                redis().call("HSET", recordKey(), field, garbage);
                Calls.refusalOf(call);
            });
        }
    }

    private void restore(List<?> record) {
        redis().call("DEL", recordKey());
        String[] command = new String[record.size() + 2];
        command[0] = "HSET";
        command[1] = recordKey();
        for (int i = 0; i < record.size(); i++) {
            command[i + 2] = record.get(i).toString();
        }
        redis().call(command);
    }
}
