package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.LockRequest;
import dev.joblock.StoreAnswer;
import dev.joblock.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases: whose they are, how they end, and that nothing but a grant makes one. */
interface LeaseContract extends StoreFixture {

    @Test
    default void grantIsDatedInRedisTime() {
        Instant before = store().time();
        StoreAnswer answer = grant(manual(), holder("n1"));
        Instant after = store().time();

        assertThat(answer.since()).isBetween(before, after);
        assertThat(deny(manual(), "n2").until()).contains(answer.since().plus(Asks.LEASE));
    }

    @Test
    default void timeIsTheServersTime() {
        Instant before = serverTime();
        Instant time = store().time();
        Instant after = serverTime();

        assertThat(time.truncatedTo(ChronoUnit.MILLIS)).isBetween(before, after);
    }

    @Test
    default void onlyTheHolderRenews() {
        Holder holder = holder("n1");
        Instant since = grant(hourly(10), holder).since();

        assertThat(store().renew(LOCK, holder("n2"), Duration.ofHours(1))).isFalse();
        assertThat(store().renew(LOCK, holder("n1"), Duration.ofHours(1)))
                .as("another acquisition of the same node")
                .isFalse();
        assertThat(deny(manual(), "n2").until()).contains(since.plus(Asks.LEASE));

        Instant before = store().time();
        assertThat(store().renew(LOCK, holder, Duration.ofHours(1))).isTrue();
        Instant after = store().time();
        assertThat(deny(manual(), "n2").until().orElseThrow())
                .isBetween(before.plusSeconds(3600), after.plusSeconds(3600));
        assertThat(deny(manual(), "n2").other().orElseThrow().since()).isEqualTo(since);
    }

    @Test
    default void onlyTheHolderReleases() {
        Holder holder = holder("n1");
        grant(hourly(10), holder);

        assertThat(store().release(LOCK, holder("n2"))).isFalse();
        assertThat(store().release(LOCK, holder("n1"))).isFalse();
        assertThat(deny(manual(), "n2").reason()).isEqualTo(DenialReason.HELD);

        assertThat(store().release(LOCK, holder)).isTrue();
        assertThat(store().release(LOCK, holder))
                .as("asked again, since the answer was lost")
                .isTrue();
        complete(manual(), "n2");
        assertThat(store().release(LOCK, holder)).as("after the next grant").isFalse();
    }

    @Test
    default void renewalReachesTheEndThatItSetsAlsoWhereThatIsSooner() {
        Holder holder = holder("n1");
        grant(manual(), holder);

        assertThat(store().renew(LOCK, holder, Duration.ofMillis(1))).isTrue();

        awaitPast(store().time().plusMillis(1));
        complete(manual(), "n2");
        assertThat(store().renew(LOCK, holder, Asks.LEASE)).isFalse();
    }

    @Test
    default void renewalOutlivesTheLease() {
        Holder holder = holder("n1");
        Instant since = grant(manual(), holder, Duration.ofMillis(400)).since();
        assertThat(store().renew(LOCK, holder, Asks.LEASE)).isTrue();
        awaitPast(since.plusMillis(401));

        assertThat(deny(manual(), "n2").reason()).isEqualTo(DenialReason.HELD);
        assertThat(store().release(LOCK, holder)).isTrue();
    }

    @Test
    default void renewalNeverMakesALostRecordAnew() {
        Holder holder = holder("n1");
        grant(hourly(10), holder);
        lose();

        assertThat(store().renew(LOCK, holder, Asks.LEASE)).isFalse();
        assertThat(exists()).isFalse();
    }

    @Test
    default void renewalNeverRevivesALeaseThatIsOver() {
        Holder holder = holder("n1");
        Instant since = grant(hourly(10), holder, Duration.ofMillis(1)).since();
        awaitPast(since.plusMillis(1));

        assertThat(store().renew(LOCK, holder, Asks.LEASE)).isFalse();
        complete(hourly(11), "n2");
    }

    @Test
    default void overtakenHolderNeitherRenewsNorReleases() {
        Holder dead = holder("n1");
        Instant since = grant(hourly(10), dead, Duration.ofMillis(1)).since();
        awaitPast(since.plusMillis(1));
        Holder living = holder("n2");
        grant(hourly(11), living);

        assertThat(store().renew(LOCK, dead, Asks.LEASE)).isFalse();
        assertThat(store().release(LOCK, dead)).isFalse();

        assertThat(deny(manual(), "n3").other().orElseThrow().node()).isEqualTo("n2");
        assertThat(store().release(LOCK, living)).isTrue();
    }

    @Test
    default void callsOnALockThatNobodyEverTookChangeNothing() {
        assertThat(store().renew(LOCK, holder("n1"), Asks.LEASE)).isFalse();
        assertThat(store().release(LOCK, holder("n1"))).isFalse();
        assertThat(store().unclaim(LOCK, holder("n1"))).isFalse();

        assertThat(exists()).isFalse();
    }

    @Test
    default void deniedRequestWritesNothing() {
        complete(hourly(10), "n1");
        Object before = redis().call("HGETALL", recordKey());

        deny(hourly(10), "n2");
        deny(hourly(9), "n2");

        assertThat(redis().call("HGETALL", recordKey())).isEqualTo(before);
    }

    @Test
    default void leaseOfOneMillisecondIsOverAfterIt() {
        StoreAnswer first = grant(manual(), holder("n1"), Duration.ofMillis(1));
        awaitPast(first.since().plusMillis(1));

        grant(manual(), holder("n2"));
    }

    @Test
    default void leaseOfSixtyDaysIsHeldForSixtyDays() {
        Duration sixtyDays = Duration.ofDays(60);
        StoreAnswer first = grant(manual(), holder("n1"), sixtyDays);

        Denied denied = deny(manual(), "n2");

        assertThat(denied.until()).contains(first.since().plus(sixtyDays));
        assertThat(pttl()).isGreaterThan(Integer.MAX_VALUE).isGreaterThanOrEqualTo(sixtyDays.toMillis() - 60_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-0.001S", "PT-30S", "PT0.0004S", "PT0.0015S", "P3700D"})
    default void leaseThatIsNoneIsRefusedBeforeAnythingIsWritten(Duration lease) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LockRequest(LOCK, manual(), holder("n1"), lease, true))
                .withMessageContaining("'lease of '" + LOCK + "''");

        Holder holder = holder("n1");
        Instant since = grant(manual(), holder).since();
        assertThatThrownBy(() -> store().renew(LOCK, holder, lease))
                .isInstanceOfAny(IllegalArgumentException.class, StoreException.class);
        assertThat(deny(manual(), "n2").until()).contains(since.plus(Asks.LEASE));
    }

    private Instant serverTime() {
        List<?> time = (List<?>) Objects.requireNonNull(redis().call("TIME"));
        return Instant.ofEpochSecond(
                        Long.parseLong(time.get(0).toString()),
                        Long.parseLong(time.get(1).toString()) * 1_000)
                .truncatedTo(ChronoUnit.MILLIS);
    }
}
