package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StartFailureIT {

    @Test
    void anApplicationThatDoesNotStartIsReportedAtOnceWithItsReason() {
        ClusterOptions options = new ClusterOptions(null, 1, 0, Map.of("joblock.lease", "30"));
        List<ProcessHandle> started;
        try (Cluster cluster =
                new Cluster(options, Layout.from(System.getProperties(), "start-failure-it"), line -> {})) {
            assertThatThrownBy(cluster::start)
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("node1 does not start")
                    .hasMessageContaining("'joblock.lease' = '30'")
                    .hasMessageContaining("node1.log");
            started = cluster.processes();
        }
        assertThat(started).noneMatch(ProcessHandle::isAlive);
    }
}
