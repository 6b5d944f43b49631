package dev.joblock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobPatternsTest {

    @ParameterizedTest
    @CsvSource({
        "batch:invoice, batch:invoice, true",
        "batch:*, batch:invoice, true",
        "*, batch:invoice, false",
        "*invoice, batch:invoice, false",
        "batch:*, invoice, false"
    })
    void aPatternMeansBatchJobsOnlyIfItSaysSo(String pattern, String job, boolean matches) {
        assertThat(JobPatterns.parse(pattern).matches(job)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "invoice | invoice",
                "* | anything.at all",
                "inv* | invoice",
                "*ice | invoice",
                "i*v*e | invoice",
                "in**ce | invoice",
                "invoice* | invoice",
                "nightly.* | nightly.invoice",
                "*.invoice | nightly.invoice",
                "a,b , c | c",
                "*a*b*c | xxabxxbcc",
                "[x]?+(y) | [x]?+(y)",
                "Überweisung* | Überweisung täglich"
            })
    void matches(String patterns, String job) {
        assertThat(JobPatterns.parse(patterns).matches(job)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "invoice | Invoice",
                "invoice | invoices",
                "invoice | nightly.invoice",
                "inv*x | invoice",
                "a*a | a",
                "*a*b*c | xxacb",
                "i?voice | invoice",
                "day[1] | day1",
                "*,!invoice | invoice",
                "*,!inv*,invoice | invoice",
                "a,b | ab",
                "'' | invoice",
                "' ' | ' '"
            })
    void doesNotMatch(String patterns, String job) {
        assertThat(JobPatterns.parse(patterns).matches(job)).isFalse();
    }

    @Test
    void longestPatternThatIncludesIsTheOneThatCounts() {
        assertThat(JobPatterns.parse("*,invoice*,inv*").match("invoiceNew")).contains("invoice*");
        assertThat(JobPatterns.parse("*,!*Old").match("invoiceOld")).isEmpty();
        assertThat(JobPatterns.parse("a, b,!c").included()).containsExactly("a", "b");
        assertThat(JobPatterns.parse(" a,b ")).hasToString("a,b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "\t"})
    void blankMeansNone(String text) {
        assertThat(JobPatterns.parse(text).isEmpty()).isTrue();
        assertThat(JobPatterns.parse(text).matches("")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {",", "a,", ",a", "a,,b", "a,!", "!", "a, ,b"})
    void emptyPatternIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobPatterns.parse(text))
                .withMessage(
                        "Job patterns '" + text + "' contain an empty pattern; write names with single commas between "
                                + "them, such as 'invoice,report*,!reportOld'");
    }

    @Test
    void exclusionsAloneAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobPatterns.parse("!a, !b*"))
                .withMessage(
                        "Job patterns '!a, !b*' only exclude; say which jobs they are taken from, such as '*,!a, !b*'");
    }

    @Test
    void patternOfManyStarsIsNoTrap() {
        String pattern = "*a".repeat(200) + "*b";
        assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> assertThat(JobPatterns.parse(pattern).matches("a".repeat(5_000)))
                        .isFalse());
    }

    @Test
    void namesOfOtherKindsOfJobsAreMatchedByPatternsOfThatKindAlone() {
        assertThat(JobPatterns.parse("*").matches("task:reports.nightly")).isFalse();
        assertThat(JobPatterns.parse("*").matches("batch:invoice")).isFalse();
        assertThat(JobPatterns.parse("task:*").matches("task:reports.nightly")).isTrue();
        assertThat(JobPatterns.parse("task:*").matches("reports.nightly")).isFalse();
        assertThat(JobPatterns.parse("task:*,!task:reports.*").matches("task:reports.nightly"))
                .isFalse();
        assertThat(JobPatterns.parse("task:*,!*").matches("task:reports.nightly"))
                .isTrue();
    }
}
