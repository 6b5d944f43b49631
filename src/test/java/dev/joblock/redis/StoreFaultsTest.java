package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.NoSuchElementException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** The trees of causes are those that Spring Data and Jedis were seen to give on the three rows. */
class StoreFaultsTest {

    @Test
    void readTimeOutIsNoBrokenConnectionThoughItIsWrappedAsOne() {
        StoreException fault = translate(new RedisConnectionFailureException(
                "java.net.SocketTimeoutException: Read timed out", readTimedOut("Read timed out")));

        assertThat(fault.fault()).isEqualTo(StoreFault.TIMEOUT);
        assertThat(fault.isMaybeApplied()).isTrue();
        assertThat(fault).hasMessage("acquire 'job': Read timed out");
    }

    @Test
    void readTimeOutWhileAConnectionIsMadeHasAppliedNothing() {
        StoreException fault = translate(
                new RedisConnectionFailureException("Cannot get Jedis connection", readTimedOut("Read timed out")));

        assertThat(fault.fault()).isEqualTo(StoreFault.TIMEOUT);
        assertThat(fault.isMaybeApplied()).isFalse();
    }

    @Test
    void connectTimeOutMeansUnreachable() {
        StoreException fault = translate(
                new RedisConnectionFailureException("Cannot get Jedis connection", readTimedOut("Connect timed out")));

        assertThat(fault.fault()).isEqualTo(StoreFault.UNREACHABLE);
        assertThat(fault.isMaybeApplied()).isFalse();
    }

    @Test
    void connectionThatBrokeMayHaveApplied() {
        StoreException fault = translate(new RedisConnectionFailureException(
                "Unexpected end of stream.", new JedisConnectionException("Unexpected end of stream.")));

        assertThat(fault.fault()).isEqualTo(StoreFault.DISCONNECTED);
        assertThat(fault.isMaybeApplied()).isTrue();
    }

    @Test
    void connectionRefusedOnTheOldRowIsUnreachable() {
        StoreException fault = translate(new RedisConnectionFailureException(
                "Cannot get Jedis connection; nested exception is …",
                new JedisConnectionException(
                        "Could not get a resource from the pool",
                        new JedisConnectionException(
                                "Failed to create socket.", new ConnectException("Connection refused")))));

        assertThat(fault.fault()).isEqualTo(StoreFault.UNREACHABLE);
        assertThat(fault.isMaybeApplied()).isFalse();
    }

    @Test
    void connectionRefusedOnTheNewRowsIsUnreachable() {
        JedisConnectionException refused = new JedisConnectionException("Failed to connect to 127.0.0.1:6379.");
        refused.addSuppressed(new ConnectException("Connection refused"));

        assertThat(translate(new RedisConnectionFailureException(refused.getMessage(), refused))
                        .fault())
                .isEqualTo(StoreFault.UNREACHABLE);
    }

    @Test
    void unknownHostAndRefusedCertificateAreUnreachable() {
        Throwable[] causes = {
            new UnknownHostException("nowhere"), new SSLHandshakeException("PKIX path building failed")
        };
        for (Throwable cause : causes) {
            assertThat(translate(new JedisConnectionException("Failed to create socket.", cause))
                            .fault())
                    .isEqualTo(StoreFault.UNREACHABLE);
        }
    }

    @Test
    void exhaustedPoolIsNoBrokenConnection() {
        NoSuchElementException exhausted =
                new NoSuchElementException("Timeout waiting for idle object, borrowMaxWaitDuration=PT0.3S");
        Exception[] rows = {
            new RedisConnectionFailureException(
                    "Cannot get Jedis connection; nested exception is …",
                    new JedisException("Could not get a resource since the pool is exhausted", exhausted)),
            new RedisConnectionFailureException(
                    "Cannot get Jedis connection",
                    new JedisException("Could not get a resource from the pool", exhausted)),
            new JedisException("Could not get a resource from the pool", exhausted)
        };
        for (Exception row : rows) {
            assertThat(translate(row).fault()).isEqualTo(StoreFault.POOL_EMPTY);
            assertThat(translate(row).isMaybeApplied()).isFalse();
        }
    }

    @Test
    void waitForThePoolThatWasBrokenOffIsAnEmptyPoolAndTheFlagStays() {
        StoreException fault =
                translate(new JedisException("Could not get a resource from the pool", new InterruptedException()));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(fault.fault()).isEqualTo(StoreFault.POOL_EMPTY);
        assertThat(fault.isMaybeApplied()).isFalse();
    }

    @Test
    void newConnectionThatDoesNotAnswerThePoolsPingIsNoEmptyPool() {
        StoreException fault = translate(new JedisException(
                "Could not get a resource since the pool is exhausted",
                new NoSuchElementException("Unable to validate object")));

        assertThat(fault.fault()).isEqualTo(StoreFault.DISCONNECTED);
        assertThat(fault.isMaybeApplied()).isFalse();
    }

    @Test
    void refusedLoginIsSeenThroughTheConnectionFailureAroundIt() {
        StoreException fault = translate(new RedisConnectionFailureException(
                "Cannot get Jedis connection",
                new JedisDataException("WRONGPASS invalid username-password pair or user is disabled.")));

        assertThat(fault.fault()).isEqualTo(StoreFault.NOT_PERMITTED);
        assertThat(fault.isMaybeApplied()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "READONLY | READONLY You can't write against a read only replica.",
                "READONLY | ERR Error running script (call to f_1): @user_script:1: -READONLY You can't write",
                "LOADING | LOADING Redis is loading the dataset in memory",
                "OUT_OF_MEMORY | OOM command not allowed when used memory > 'maxmemory'.",
                "OUT_OF_MEMORY | EXECABORT Transaction discarded because of: OOM command not allowed",
                "MISCONFIGURED | MISCONF Redis is configured to save RDB snapshots",
                "NO_REPLICAS | NOREPLICAS Not enough good replicas to write.",
                "NOT_PERMITTED | NOPERM this user has no permissions to run the 'evalsha' command",
                "NOT_PERMITTED | NOAUTH Authentication required.",
                "FOREIGN_VALUE | WRONGTYPE Operation against a key holding the wrong kind of value",
                "BUSY | BUSY Redis is busy running a script.",
                "CLUSTER_DOWN | CLUSTERDOWN Hash slot not served",
                "CLUSTER_DOWN | MASTERDOWN Link with MASTER is down",
                "OTHER | ERR unknown command 'evalsha'"
            })
    void refusalOfTheServerIsKnownByItsFirstWord(StoreFault expected, String message) {
        StoreException fault =
                translate(new InvalidDataAccessApiUsageException(message, new JedisDataException(message)));

        assertThat(fault.fault()).isEqualTo(expected);
        assertThat(fault.isMaybeApplied()).isFalse();
    }

    @Test
    void timeOutOfAnotherClientLibraryMayHaveApplied() {
        StoreException fault = translate(new QueryTimeoutException("Redis command timed out"));

        assertThat(fault.fault()).isEqualTo(StoreFault.TIMEOUT);
        assertThat(fault.isMaybeApplied()).isTrue();
    }

    @Test
    void failureOfAnotherKindIsToldWithItsInnermostReason() {
        assertThat(translate(new IllegalStateException("outer", new IllegalStateException("inner\nsecond line"))))
                .hasMessage("acquire 'job': inner")
                .extracting(StoreException::fault)
                .isEqualTo(StoreFault.OTHER);
        assertThat(translate(new IllegalStateException((@Nullable String) null)))
                .hasMessage("acquire 'job': IllegalStateException");
    }

    private static StoreException translate(Throwable error) {
        return StoreFaults.translate("acquire 'job'", error);
    }

    private static JedisConnectionException readTimedOut(String message) {
        return new JedisConnectionException(
                "java.net.SocketTimeoutException: " + message, new SocketTimeoutException(message));
    }
}
