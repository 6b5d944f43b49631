package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessesTest {

    @TempDir
    private Path folder;

    @Test
    void closingEndsEveryProcess() {
        Processes processes = new Processes(RunFolder.take(folder));
        Child first = processes.start("redis", "redis", List.of("sleep", "300"));
        Child second = processes.start("tomcat", "node1", List.of("sleep", "300"));

        processes.close();

        assertThat(first.isAlive()).isFalse();
        assertThat(second.isAlive()).isFalse();
        assertThat(folder.resolve("processes")).doesNotExist();
    }

    @Test
    void kindsAreStoppedInTheReverseOrderOfTheirStart() throws Exception {
        Processes processes = new Processes(RunFolder.take(folder));
        Path order = folder.resolve("order");
        processes.start("redis", "redis", onTerm("echo redis >> " + order));
        processes.start("tomcat", "node1", onTerm("echo tomcat >> " + order));
        for (Child child : processes.all()) {
            Waiting.until(
                    Duration.ofSeconds(10),
                    Duration.ofMillis(10),
                    child,
                    () -> child.logLines().contains("up"));
        }

        processes.close();

        assertThat(order).content().isEqualTo("tomcat\nredis\n");
    }

    @Test
    void onceClosedNothingMoreIsStarted() {
        Processes processes = new Processes(RunFolder.take(folder));
        processes.close();
        processes.close();

        assertThatThrownBy(() -> processes.start("redis", "redis", List.of("sleep", "300")))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("being stopped");
    }

    @Test
    void aProgramThatIsNotThereIsSaid() {
        try (Processes processes = new Processes(RunFolder.take(folder))) {
            assertThatThrownBy(() -> {
                        Child child = processes.start("redis", "redis", List.of("/no/such/program"));
                        Waiting.until(Duration.ofSeconds(10), Duration.ofMillis(10), child, () -> false);
                    })
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("/no/such/program");
        }
    }

    private static List<String> onTerm(String command) {
        return List.of("sh", "-c", "trap '" + command + "; exit 0' TERM; echo up; while :; do sleep 0.05; done");
    }
}
