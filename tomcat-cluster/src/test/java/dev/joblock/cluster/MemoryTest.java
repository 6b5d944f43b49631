package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MemoryTest {

    @Test
    void fourNodesFitInto840Megabytes() {
        assertThatCode(() -> Memory.require(4, 840)).doesNotThrowAnyException();
    }

    @Test
    void tooLittleMemoryIsSaidWithHowManyNodesWouldFit() {
        assertThatThrownBy(() -> Memory.require(4, 839))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("about 840 MB")
                .hasMessageContaining("839 MB are available")
                .hasMessageContaining("-Djoblock.nodes=3");
    }

    @Test
    void whereNotEvenOneNodeFitsNoneIsProposed() {
        assertThatThrownBy(() -> Memory.require(4, 100)).hasMessageEndingWith("Close something");
    }
}
