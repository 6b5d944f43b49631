package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.LockStore;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.core.RedisOperations;

/** The contract on the store whose lock is a plain string, and what services in other languages see of it. */
class TokenStoreIT extends LockStoreContract implements ScriptContract {

    @Override
    public LockStore open(RedisOperations<?, ?> template, String prefix) {
        return new TokenStore(template, prefix);
    }

    @Override
    public String decisiveCommand() {
        return "EVAL";
    }

    @Override
    public String recordKey(String lockName) {
        return "{" + prefix() + lockName + "}:joblock";
    }

    @Override
    public Set<String> keys(String prefix, String encodedName) {
        return Set.of(prefix + encodedName, "{" + prefix + encodedName + "}:joblock");
    }

    @Test
    void otherClientIsExcludedWhileOursHolds() {
        Holder holder = holder("n1");
        grant(hourly(10), holder);

        assertThat(take("other", 1_000)).isFalse();
        assertThat(redis().text("GET", key())).isEqualTo(holder.nonce());
        assertThat(plainTtl()).isBetween(Asks.LEASE.toMillis() - 5_000, Asks.LEASE.toMillis());

        assertThat(store().renew(LOCK, holder, Duration.ofHours(1))).isTrue();
        assertThat(plainTtl()).isGreaterThan(3_500_000);

        assertThat(store().release(LOCK, holder)).isTrue();
        assertThat(take("other", 1_000)).isTrue();
    }

    @Test
    void oursIsHeldOffByAnotherClientAndMovesNoMark() {
        assertThat(take("other", 60_000)).isTrue();

        Denied denied = deny(hourly(10), "n1");

        assertThat(denied.reason()).isEqualTo(DenialReason.HELD);
        assertThat(denied.until().orElseThrow())
                .isBetween(start().plusSeconds(50), store().time().plusSeconds(60));
        assertThat(redis().text("GET", key())).isEqualTo("other");
        redis().call("DEL", key());
        complete(hourly(10), "n1");
    }

    @Test
    void leftoverWithoutExpiryHoldsOursOffAndIsLeft() {
        redis().call("SET", key(), "leftover");

        Denied denied = deny(manual(), "n1");

        assertThat(denied.reason()).isEqualTo(DenialReason.HELD);
        assertThat(denied.until()).isEmpty();
        assertThat(plainTtl()).isEqualTo(-1);
    }

    @Test
    void stringThatSomebodyElseTookIsNotOurs() {
        Holder holder = holder("n1");
        grant(hourly(10), holder);
        redis().call("SET", key(), "thief", "PX", "60000");

        assertThat(store().renew(LOCK, holder, Asks.LEASE)).isFalse();
        store().release(LOCK, holder);
        store().unclaim(LOCK, holder);
        store().cancel(LOCK, holder);

        assertThat(redis().text("GET", key())).isEqualTo("thief");
        assertThat(plainTtl()).isGreaterThan(50_000);
    }

    @Test
    void stringThatWasDeletedIsNotMadeAnewByARenewal() {
        Holder holder = holder("n1");
        grant(hourly(10), holder);
        redis().call("DEL", key());

        assertThat(store().renew(LOCK, holder, Asks.LEASE)).isFalse();

        assertThat(redis().text("EXISTS", key())).isEqualTo("0");
        assertThat(complete(hourly(11), "n2").abandoned().orElseThrow().node()).isEqualTo("n1");
    }

    @Test
    void unclaimAndCancelFreeTheString() {
        for (int i = 0; i < 2; i++) {
            Holder holder = holder("n1");
            grant(hourly(10), holder);
            if (i == 0) {
                assertThat(store().unclaim(LOCK, holder)).isTrue();
            } else {
                store().cancel(LOCK, holder);
            }
            assertThat(redis().text("EXISTS", key())).isEqualTo("0");
        }
        complete(hourly(10), "n2");
    }

    @Test
    void otherTypeAtTheStringsKeyIsNamedAndLeft() {
        redis().call("RPUSH", key(), "a", "b");

        Calls.Refusal refusal = Calls.refusal(store(), hourly(10));

        assertThat(refusal.fault()).isEqualTo(StoreFault.FOREIGN_VALUE);
        assertThat(refusal.text()).contains(key()).contains("list");
        assertThat(redis().call("LRANGE", key(), "0", "-1")).isEqualTo(List.of("a", "b"));
    }

    private boolean take(String value, long milliseconds) {
        return "OK".equals(redis().call("SET", key(), value, "NX", "PX", Long.toString(milliseconds)));
    }

    private long plainTtl() {
        return Long.parseLong(redis().text("PTTL", key()));
    }
}
