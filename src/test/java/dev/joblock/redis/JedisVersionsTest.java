package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JedisVersionsTest {

    @ParameterizedTest
    @CsvSource({
        "2.7.18, 3.8.0",
        "2.4.15, 3.3.0",
        "3.0.0, 4.3.1",
        "3.2.12, 5.0.2",
        "3.5.13, 6.0.0",
        "3.5.13, 6.2.0",
        "3.5.13, 7.2.1",
        "4.0.7, 7.0.0",
        "4.0.7, 7.2.1",
        "4.1.2, 7.3.0",
        "4.1.2, 7.4.1",
        "4.1.2, 8.0.0",
        "4.2.0-M1, 8.0.0"
    })
    void aPairThatFitsIsTaken(String springDataRedis, String jedis) {
        assertThat(JedisVersions.problem(springDataRedis, jedis)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "2.7.18, 4.2.3, 3.3 to 3.x",
        "2.7.18, 2.9.3, 3.3 to 3.x",
        "3.5.13, 5.2.0, 6.0 or newer",
        "3.5.13, 3.8.0, 6.0 or newer",
        "4.0.7, 6.2.0, 7.0 or newer",
        "4.1.2, 6.2.0, 7.3 or newer",
        "4.1.2, 7.2.1, 7.3 or newer",
        "4.2.0, 7.2.1, 7.3 or newer"
    })
    void aPairThatDoesNotFitIsNamedWithTheVersionsThatDo(String springDataRedis, String jedis, String supported) {
        assertThat(JedisVersions.problem(springDataRedis, jedis))
                .contains("Spring Data Redis " + springDataRedis + " does not work with Jedis " + jedis
                        + ", it takes Jedis " + supported + "; change the version of redis.clients:jedis");
    }

    @Test
    void versionsThatAreNotKnownAreGivenATry() {
        assertThat(JedisVersions.problem(null, "7.4.1")).isEmpty();
        assertThat(JedisVersions.problem("4.1.2", null)).isEmpty();
        assertThat(JedisVersions.problem("4.1.2", "unspecified")).isEmpty();
    }

    @Test
    void theVersionsOnTheClassPathAreKnownAndFit() {
        assertThat(JedisVersions.problem()).isEmpty();
        assertThat(JedisVersions.found()).matches("Spring Data Redis \\d+\\.\\d+.* with Jedis \\d+\\.\\d+.*");
    }
}
