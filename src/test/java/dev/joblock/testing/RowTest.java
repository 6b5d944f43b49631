package dev.joblock.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proves that the tests of this JVM run on the libraries that their row names: mediation by Maven would be silent. */
class RowTest {
    @ParameterizedTest
    @CsvSource({
        "spring, org.springframework.core.SpringVersion",
        "spring-data-redis, org.springframework.data.redis.connection.RedisConnectionFactory",
        "jedis, redis.clients.jedis.Jedis",
        "quartz, org.quartz.Scheduler",
        "spring-batch, org.springframework.batch.core.configuration.JobRegistry",
    })
    void libraryIsTheOneThatTheRowNames(String library, String itsClass) throws ClassNotFoundException {
        String expected = System.getProperty("joblock.row." + library, "");
        assumeThat(expected).as("set by Maven, not by an IDE").isNotEmpty();

        assertThat(versionOfTheJarOf(Class.forName(itsClass))).as(library).isEqualTo(expected);
    }

    private static String versionOfTheJarOf(Class<?> type) {
        String jar = type.getProtectionDomain().getCodeSource().getLocation().getPath();
        return jar.replaceAll(".*-(\\d[^-/]*)\\.jar$", "$1");
    }
}
