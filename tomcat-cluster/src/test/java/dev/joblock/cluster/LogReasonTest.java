package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogReasonTest {

    @Test
    void theInnermostCauseOfTheFirstTraceIsTheReason() {
        List<String> log = List.of(
                "12:00:00.000 ERROR [main] o.s.w.c.ContextLoader Context initialization failed",
                "org.springframework.beans.factory.BeanCreationException: outer",
                "\tat org.example.A.a(A.java:1)",
                "Caused by: org.springframework.beans.BeanInstantiationException: middle",
                "\tat org.example.B.b(B.java:2)",
                "\t... 23 common frames omitted",
                "Caused by: java.lang.IllegalArgumentException: 'joblock.lease' = '30' has no unit",
                "\tat org.example.C.c(C.java:3)",
                "12:00:01.000 SEVERE something else",
                "Caused by: java.lang.IllegalStateException: a later one");

        assertThat(LogReason.of(log))
                .isEqualTo("java.lang.IllegalArgumentException: 'joblock.lease' = '30' has no unit");
    }

    @Test
    void withoutATraceTheFirstSevereLineIsTheReason() {
        assertThat(LogReason.of(List.of("INFO a", "01 SEVERE [main] port in use", "02 SEVERE [main] b")))
                .isEqualTo("01 SEVERE [main] port in use");
    }

    @Test
    void withoutEitherTheLastLinesAreShown() {
        List<String> log = IntStream.range(0, 100).mapToObj(i -> "line " + i).toList();

        assertThat(LogReason.of(log)).startsWith("line 88\n").endsWith("line 99");
        assertThat(LogReason.of(List.of())).isEqualTo("its log is empty");
    }

    @Test
    void tomcatsOwnSentenceMeansThatTheApplicationIsGivenUp() {
        assertThat(LogReason.saysFailed(List.of("SEVERE Context [] startup failed due to previous errors")))
                .isTrue();
        assertThat(LogReason.saysFailed(List.of("INFO Server startup in [2000] milliseconds")))
                .isFalse();
    }
}
