package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MemoryTest {

    @Test
    void fourNodesFitInto920Megabytes() {
        assertThatCode(() -> Memory.require(4, 920)).doesNotThrowAnyException();
    }

    @Test
    void tooLittleMemoryIsSaidWithHowManyNodesWouldFit() {
        assertThatThrownBy(() -> Memory.require(4, 919))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("about 920 MB")
                .hasMessageContaining("919 MB are available")
                .hasMessageContaining("-Djoblock.nodes=3");
    }

    @Test
    void whereNotEvenOneNodeFitsNoneIsProposed() {
        assertThatThrownBy(() -> Memory.require(4, 100)).hasMessageEndingWith("Close something");
    }
}
