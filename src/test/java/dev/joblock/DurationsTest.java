package dev.joblock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        "1ms, PT0.001S",
        "30s, PT30S",
        "5m, PT5M",
        "24h, PT24H",
        "60d, PT1440H",
        "PT5M, PT5M",
        "pt0.5s, PT0.5S",
        "P1D, PT24H",
        "' 30s ', PT30S",
        "3660d, PT87840H",
        "007s, PT7S"
    })
    void readsWhatUsersWrite(String text, Duration expected) {
        assertThat(Durations.parsePositive("lease", text)).isEqualTo(expected);
        assertThat(Durations.parse("lease", text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "0ms", "PT0S", "0d"})
    void zeroIsReadOnlyWhereItMayBe(String text) {
        assertThat(Durations.parse("retry", text)).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.parsePositive("lease", text))
                .withMessage(
                        "'lease' = 'PT0S' must be longer than zero; write for example 500ms, 30s, 5m, 24h or PT5M");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "30 | has no unit",
                "-5 | has no unit",
                "1.5 | has no unit",
                "'' | is not a duration",
                "30sec | is not a duration",
                "30 s | is not a duration",
                "1.5s | is not a duration",
                "-30s | is not a duration",
                "30S | is not a duration",
                "forever | is not a duration",
                "1h30m | is not a duration",
                "٣s | is not a duration",
                "1234567890123456ms | is not a duration",
                "PT99999999999999999H | is not a duration",
                "PT-5M | must not be negative",
                "-PT5M | must not be negative",
                "PT-0.0001S | must not be negative",
                "PT0.0001S | must be whole milliseconds",
                "PT0.0015S | must be whole milliseconds",
                "3661d | must not be longer than ten years",
                "999999999999999h | must not be longer than ten years",
                "999999999999999d | must not be longer than ten years",
                "999999999999999s | must not be longer than ten years"
            })
    void refusesAnythingElseWithNameValueRuleAndWayOut(String text, String rule) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.parsePositive("joblock.lease", text))
                .withMessage(
                        "'joblock.lease' = '" + text + "' " + rule + "; write for example 500ms, 30s, 5m, 24h or PT5M");
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT0.001S, 1ms",
        "PT1.5S, 1500ms",
        "PT30S, 30s",
        "PT90S, 90s",
        "PT5M, 5m",
        "PT1H, 1h",
        "PT1440H, 1440h"
    })
    void writesWhatItReads(Duration duration, String text) {
        assertThat(Durations.format(duration)).isEqualTo(text);
        assertThat(Durations.parse("any", text)).isEqualTo(duration);
    }
}
