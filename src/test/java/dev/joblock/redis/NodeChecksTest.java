package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NodeChecksTest {

    @Test
    void redisIsTheOutlierOnlyWhereAllLivingNodesAgreeAgainstIt() {
        assertThat(NodeChecks.isRedisOutlier(0, List.of())).isFalse();
        assertThat(NodeChecks.isRedisOutlier(500, List.of())).isFalse();
        assertThat(NodeChecks.isRedisOutlier(501, List.of())).isFalse();
        assertThat(NodeChecks.isRedisOutlier(-9_000, List.of())).isFalse();
        assertThat(NodeChecks.isRedisOutlier(9_000, List.of(9_500L, 8_500L))).isTrue();
        assertThat(NodeChecks.isRedisOutlier(9_000, List.of(9_501L))).isFalse();
        assertThat(NodeChecks.isRedisOutlier(9_000, List.of(9_000L, 0L))).isFalse();
        assertThat(NodeChecks.isRedisOutlier(600, List.of(-600L))).isFalse();
        assertThat(NodeChecks.isRedisOutlier(0, List.of(9_000L, 9_000L))).isFalse();
    }
}
