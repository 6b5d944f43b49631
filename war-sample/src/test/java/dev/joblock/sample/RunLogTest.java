package dev.joblock.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;

class RunLogTest {

    private static final Instant SLOT = Instant.parse("2026-10-25T01:30:00Z");

    private final JdbcDataSource database = new JdbcDataSource();
    private final RunLog log = new RunLog(database);

    @BeforeEach
    void createTables() {
        database.setUrl("jdbc:h2:mem:runlog" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
        new SharedSchema(database, new ClassPathResource("schema.sql")).afterPropertiesSet();
    }

    @Test
    void aRunIsRunningUntilItHasEnded() {
        long row = log.started("a", SLOT, "node1", 7L);
        assertThat(log.recentAnswers(9)).singleElement().satisfies(answer -> {
            assertThat(answer.answer()).isEqualTo("running");
            assertThat(answer.slot()).isEqualTo(SLOT);
            assertThat(answer.token()).isEqualTo(7L);
        });

        log.ended(row);

        assertThat(log.recentAnswers(9))
                .singleElement()
                .extracting(Answer::answer)
                .isEqualTo("ran");
    }

    @Test
    void anUnguardedRunHasNoToken() {
        log.started("a", SLOT, "node1", null);

        assertThat(log.recentAnswers(9))
                .singleElement()
                .extracting(Answer::token)
                .isNull();
    }

    @Test
    void aDenialSaysWhoStoodInTheWaySinceWhen() {
        log.denied("a", SLOT, "node2", "taken", "node1", SLOT.plusMillis(5), 7L);

        assertThat(log.recentAnswers(9)).singleElement().satisfies(answer -> {
            assertThat(answer.slot()).isEqualTo(SLOT);
            assertThat(answer.node()).isEqualTo("node2");
            assertThat(answer.answer()).isEqualTo("taken");
            assertThat(answer.holder()).isEqualTo("node1");
            assertThat(answer.since()).isEqualTo(SLOT.plusMillis(5));
        });
    }

    @Test
    void aDenialWithoutASlotGoesWithTheRunThatItWasDeniedFor() {
        log.started("a", SLOT, "node1", 7L);
        log.denied("a", null, "node2", "too soon", "node1", SLOT, 7L);
        log.denied("a", null, "node3", "too soon", "node1", SLOT, 6L);

        assertThat(SlotAnswers.group(log.recentAnswers(9))).singleElement().satisfies(slot -> {
            assertThat(slot.slot()).isEqualTo(SLOT);
            assertThat(slot.answers()).extracting(Answer::node).containsExactly("node1", "node2");
        });
    }

    @Test
    void aDenialWithoutAnyRunInTheWayIsKeptAsWell() {
        log.denied("a", SLOT, "node1", "store down", null, null, null);

        assertThat(log.recentAnswers(9))
                .singleElement()
                .extracting(Answer::answer)
                .isEqualTo("store down");
    }

    @Test
    void anAbandonedRunIsWrittenWithOrWithoutASlot() {
        log.abandoned("a", SLOT, "node1", 7L, SLOT, "node2");
        log.abandoned("a", null, "node1", 8L, SLOT, "node2");

        log.ping();
        assertThat(log.recentAnswers(9)).isEmpty();
    }
}
