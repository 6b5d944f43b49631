package dev.joblock.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisServerIT {
    @RegisterExtension
    static final RedisExtension shared = RedisExtension.shared();

    @RegisterExtension
    static final RedisExtension durable = RedisExtension.own("--appendonly", "yes", "--appendfsync", "always");

    @Test
    void oneServerIsSharedByTheWholeJvm() {
        assertThat(shared.server()).isSameAs(RedisServer.shared());
        assertThat(shared.server().text("PING")).isEqualTo("PONG");
    }

    @Test
    void pidIsTheOneThatRedisReports() {
        assertThat(durable.server().text("INFO", "server"))
                .contains("process_id:" + durable.server().pid() + "\r\n");
    }

    @Test
    void repliesOfEveryKindAreRead() {
        RedisServer redis = durable.server();
        redis.call("DEL", "kinds");

        assertThat(redis.call("GET", "kinds")).isNull();
        assertThat(redis.call("RPUSH", "kinds", "ä", "")).isEqualTo(2L);
        assertThat(redis.call("LRANGE", "kinds", "0", "-1")).isEqualTo(List.of("ä", ""));
        assertThat(redis.call("MGET", "kinds", "none")).isEqualTo(Arrays.asList(null, null));
        assertThatIllegalStateException()
                .isThrownBy(() -> redis.call("INCR", "kinds"))
                .withMessageStartingWith("WRONGTYPE");
    }

    @Test
    void killedServerRefusesAndComesBackOnItsPortWithWhatWasWritten() {
        RedisServer redis = durable.server();
        int port = redis.port();
        ProcessHandle before = ProcessHandle.of(redis.pid()).orElseThrow();
        redis.call("SET", "kept", "yes");

        redis.kill();

        assertThat(before.isAlive()).isFalse();
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> redis.call("PING"))
                .withMessageContaining("refused");
        assertThatIllegalStateException().isThrownBy(redis::pid).withMessageContaining("not running");

        redis.start();

        assertThat(redis.port()).isEqualTo(port);
        assertThat(redis.pid()).isNotEqualTo(before.pid());
        assertThat(redis.text("GET", "kept")).isEqualTo("yes");
    }

    @Test
    void restartEndsOneProcessAndStartsAnother() {
        RedisServer redis = durable.server();
        long before = redis.pid();

        redis.restart();

        assertThat(redis.pid()).isNotEqualTo(before);
        assertThat(redis.text("PING")).isEqualTo("PONG");
    }

    @Test
    void pausedServerAcceptsButDoesNotAnswerUntilItIsResumed() {
        RedisServer redis = durable.server();

        redis.pause();
        try {
            assertThat(redis.isAlive()).isTrue();
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(() -> redis.call("PING"))
                    .withMessageContaining("timed out");
        } finally {
            redis.resume();
        }

        assertThat(redis.text("PING")).isEqualTo("PONG");
    }

    @Test
    void closeEndsAlsoAPausedProcessAndMayBeCalledTwice() {
        RedisServer redis = RedisServer.launch();
        ProcessHandle process = ProcessHandle.of(redis.pid()).orElseThrow();
        redis.pause();

        redis.close();
        redis.close();

        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void wrongArgumentFailsWithWhatRedisSaid() {
        assertThatIllegalStateException()
                .isThrownBy(() -> RedisServer.launch("--no-such-setting", "1"))
                .withMessageContaining("no-such-setting");
    }

    @Test
    void serverOfOthersIsUsedButNeverEnded() {
        RedisServer others = RedisServer.external("127.0.0.1:" + durable.port());

        assertThat(others.text("PING")).isEqualTo("PONG");
        assertThatIllegalStateException().isThrownBy(others::kill).withMessageContaining("somebody else");
        others.close();
        assertThat(durable.server().isAlive()).isTrue();
    }

    @Test
    void addressWithoutPortIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisServer.external("localhost"))
                .withMessage("joblock.redis is 'localhost' but must read host:port");
    }
}
