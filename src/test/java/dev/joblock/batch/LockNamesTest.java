package dev.joblock.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Date;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

class LockNamesTest {

    @Test
    void identifyingParametersAreSortedTypedAndReadable() {
        Date noon = new Date(1_792_929_600_000L);
        String name = "batch:invoice?date=2026-10-25&run=7(Long)&when=2026-10-25T12:00:00Z(Date)";

        assertThat(LockNames.of(
                        "invoice", Batch.parameters("when", noon, "run", 7L, "date", "2026-10-25", "-comment", "x")))
                .isEqualTo(name);
        assertThat(LockNames.of(
                        "invoice", Batch.parameters("date", "2026-10-25", "-comment", "y", "when", noon, "run", 7L)))
                .isEqualTo(name);
    }

    @Test
    void theZoneOfTheNodeDoesNotMatter() {
        TimeZone before = TimeZone.getDefault();
        Object parameters = Batch.parameters("when", new Date(0));
        String here = LockNames.of("invoice", parameters);
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));
            assertThat(LockNames.of("invoice", parameters)).isEqualTo(here);
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @Test
    void differentParametersNeverGiveOneName() {
        assertThat(LockNames.of("a", Batch.parameters("n", "7")))
                .isEqualTo("batch:a?n=7")
                .isNotEqualTo(LockNames.of("a", Batch.parameters("n", 7L)))
                .isNotEqualTo(LockNames.of("a", Batch.parameters("n", "7", "m", "")));
        assertThat(LockNames.of("a", Batch.parameters("n", "7(Long)"))).isEqualTo("batch:a?n=7\\(Long)");
        assertThat(LockNames.of("a", Batch.parameters("n", "1&m=2")))
                .isNotEqualTo(LockNames.of("a", Batch.parameters("n", "1", "m", "2")));
        assertThat(LockNames.of("a?n=7", Batch.parameters())).isNotEqualTo("batch:a?n=7");
        assertThat(LockNames.of("a", Batch.parameters())).isEqualTo("batch:a").isEqualTo(LockNames.ofJob("a"));
    }

    @Test
    void aLongNameIsHashedAndStillTellsApart() {
        String text = "x".repeat(300);
        String name = LockNames.of("invoice", Batch.parameters("text", text + 1));

        assertThat(name).startsWith("batch:invoice?#").hasSizeLessThanOrEqualTo(LockNames.LONGEST);
        assertThat(name)
                .isEqualTo(LockNames.of("invoice", Batch.parameters("text", text + 1)))
                .isNotEqualTo(LockNames.of("invoice", Batch.parameters("text", text + 2)));
        assertThat(LockNames.ofJob("j".repeat(300)))
                .hasSizeLessThanOrEqualTo(LockNames.LONGEST)
                .isNotEqualTo(LockNames.ofJob("j".repeat(301)));
    }
}
