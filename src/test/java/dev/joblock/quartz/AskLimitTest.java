package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AskLimitTest {
    private final AskLimit.Gate gate = new AskLimit.Gate(1);

    @AfterEach
    void clear() {
        Thread.interrupted();
    }

    /** As a job leaves it behind on its worker. */
    @Test
    void flagOfTheWorkerCostsNoFireAndStays() {
        Thread.currentThread().interrupt();

        assertThat(gate.enter()).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void whoWaitsWithTheFlagSetGivesUpForWantOfAnswersOnly() {
        assertThat(gate.enter()).isTrue();
        Thread.currentThread().interrupt();
        long start = System.nanoTime();

        assertThat(gate.enter()).isFalse();

        assertThat(System.nanoTime() - start).isGreaterThan(400_000_000L);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }
}
